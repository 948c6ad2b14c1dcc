// Leads of a big workspace: made-up people and companies.
import type { Db } from '../src/db/driver.ts'
import { run } from '../src/db/sql.ts'
import type { BigWorkspace } from './big-workspace.shape.ts'

const firstNames =
  'Ada Grace Alan Edsger Barbara Donald Frances Ken Dennis Margaret Niklaus Radia Tim Linus Anita Katherine Dorothy Mary Hedy Karen Sophie Joan Leslie Shafi Adele Lynn Jean Evelyn Erna Ruth Émilie José Søren Łukasz Jürgen Zoë François Björn Ángela Nuño'
const lastNames =
  'Lovelace Hopper Turing Dijkstra Liskov Knuth Allen Thompson Ritchie Hamilton Wirth Perlman Lee Torvalds Borg Johnson Vaughan Jackson Lamarr Jones Wilson Clarke Lamport Goldwasser Goldberg Conway Bartik Boyd Hoover Teitelbaum Müller García Nguyen Okafor Silva Kowalski Rossi Novak Haddad Tanaka Smith Brown Weber Schmidt Dubois Lefèvre Andersen Larsen Nielsen Horvat Popescu Yilmaz Kaya Cohen Levi Singh Patel Sharma Wang Chen'
const trades =
  'Bakery Consulting Energy Foods Freight Garden Health Insurance Labs Legal Media Metals Mining Motors Optics Paper Pharma Press Robotics Rubber Shipping Software Solar Steel Studio Textiles Tools Travel Water Works'
const cities =
  'London Paris Berlin Madrid Roma Wien Zürich Oslo København Stockholm Helsinki Warszawa Praha Budapest Lisboa Dublin Amsterdam Bruxelles Athens İstanbul'
const jobs = 'CEO|CTO|Head of Sales|Buyer|Engineer|Office Manager|Head of Marketing|Founder'

/** All of them are made before this time. */
export const madeBefore = '2025-12-02T00:00:00Z'

/** Ids sort by age, as in the service. One lead in 50 is a company, one in 100 is deleted. */
export async function fillLeads(tx: Db, big: BigWorkspace, leads: number): Promise<void> {
  const { id_space, attributes } = big
  const options = big.options.map(({ id }) => id)
  await run(tx)`
    insert into lead (
      id_space, id, first_name, last_name, email, company, company_role, phone, city,
      linkedin_url, twitter_name, website_url, score, email_bounce_score, contract_value,
      icebreaker, is_company, is_tracked, is_contract, ai_enabled, is_deleted, attributes,
      last_interaction_at, created_at, updated_at)
    select
      ${id_space}::uuid,
      (lpad(to_hex((extract(epoch from made) * 1000)::bigint), 12, '0') || '7'
        || substr(hash, 1, 3) || '8' || substr(hash, 4, 15))::uuid,
      case when not is_company then first end,
      case when not is_company then last end,
      case when chance[1] < 0.85 then lower(first || '.' || last) || n || '@'
        || lower(replace(company, ' ', '-')) || '.example' end,
      company,
      case when not is_company then job[1 + (chance[2] * cardinality(job))::int % cardinality(job)] end,
      case when chance[3] < 0.6 then '+44 20 7' || lpad((n % 1000000)::text, 6, '0') end,
      city[1 + (chance[4] * cardinality(city))::int % cardinality(city)],
      case when chance[5] < 0.7 then
        'https://www.linkedin.com/in/' || lower(first || '-' || last) || '-' || n || '/' end,
      case when chance[6] < 0.2 then '@' || lower(first) || n end,
      case when is_company then 'https://' || lower(replace(company, ' ', '-')) || '.example' end,
      case when chance[7] < 0.8 then (chance[8] * 100)::int end,
      case when chance[9] < 0.5 then (chance[10] * 100)::int end,
      case when chance[11] < 0.1 then (chance[12] * 100000)::int end,
      case when chance[1] < 0.3 then 'Saw your talk in ' || city[1 + n % cardinality(city)] end,
      is_company,
      case when chance[2] < 0.2 then chance[2] < 0.1 end,
      chance[11] < 0.1,
      chance[5] < 0.03,
      chance[6] > 0.99,
      jsonb_strip_nulls(jsonb_build_object(
        ${attributes.text}::text, 'Code ' || n % 5000,
        ${attributes.number}::text, case when chance[4] < 0.5 then n % 1000 end,
        ${attributes.select}::text, case
          when chance[3] < 0.7 then ${options[0] ?? ''}::text
          when chance[3] < 0.9 then ${options[1] ?? ''}::text
          when chance[3] < 0.95 then ${options[2] ?? ''}::text
          when chance[3] < 0.99 then ${options[3] ?? ''}::text
          else ${options[4] ?? ''}::text end)),
      case when chance[9] < 0.3 then made + chance[10] * interval '30 days' end,
      made,
      made
    from (
      select n, md5(n::text) as hash, n % 50 = 0 as is_company, job, city,
        '2024-01-01T00:00:00Z'::timestamptz + n * (interval '700 days' / ${leads}::int) as made,
        array(select random() from generate_series(1, 12 + n * 0)) as chance,
        first[1 + n * 7 % cardinality(first)] as first,
        last[1 + n / 3 % cardinality(last)] as last,
        last[1 + n * 11 % cardinality(last)] || ' ' || trade[1 + n / 13 % cardinality(trade)] as company
      from generate_series(1, ${leads}::int) as n,
        string_to_array(${firstNames}, ' ') as first,
        string_to_array(${lastNames}, ' ') as last,
        string_to_array(${trades}, ' ') as trade,
        string_to_array(${cities}, ' ') as city,
        string_to_array(${jobs}, '|') as job
    ) made_up`
}
