import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { leadsHref } from '../../addresses/leads.ts'
import { type Lead, nameOf } from '../../api/lead.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { formatAgo, formatMoney, formatNumber } from '../../ui/format.ts'
import { Muted, Stage } from '../../ui/small.tsx'
import { words } from '../../words/index.ts'
import css from './activity.module.css'
import { companyQuery, peopleOf, peopleQuery } from './queries.ts'

/** The company of the lead, and the others of it. */
export function People({ lead }: { lead: Lead }) {
  const company = lead.company ?? ''
  const { data: people, isPending } = useQuery({
    ...peopleQuery(company),
    enabled: company !== '',
  })
  const { data: itself } = useQuery({
    ...companyQuery(company),
    enabled: company !== '' && !lead.is_company,
  })
  if (!company) return <p className={css.none}>{words.lead.noCompany}</p>
  const others = people?.leads.filter(({ id }) => id !== lead.id) ?? []
  const shown = itself ? [itself, ...others] : others
  if (shown.length === 0)
    return <p className={css.none}>{isPending ? words.grid.loading : words.lead.noPeople}</p>
  return (
    <>
      <ul className={css.people} aria-label={words.lead.companyPeople(company)}>
        {shown.map((person) => (
          <li key={person.id}>
            <Person person={person} />
          </li>
        ))}
      </ul>
      {people && people.total > people.leads.length && (
        <Link href={leadsHref(peopleOf(company))} className={css.all}>
          {words.lead.allPeople(formatNumber(people.total))}
        </Link>
      )}
    </>
  )
}

function Person({ person }: { person: Lead }) {
  const { contract_amount, contract_currency, last_interaction_at } = person
  return (
    <Link href={`/lead/${person.id}`} className={css.person}>
      <Avatar name={nameOf(person) || '?'} isCompany={person.is_company} />
      <span className={css.personText}>
        <span className="cut">{nameOf(person) || words.leads.unnamed}</span>
        <Muted className="cut">
          {person.is_company ? words.leads.company : person.company_role}
        </Muted>
      </span>
      {person.status[0] && <Stage name={person.status[0].name} color={person.status[0].color} />}
      <span className={css.personNumbers}>
        {contract_amount !== null && <span>{formatMoney(contract_amount, contract_currency)}</span>}
        {last_interaction_at && <Muted>{formatAgo(last_interaction_at)}</Muted>}
      </span>
    </Link>
  )
}
