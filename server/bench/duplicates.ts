// How well and how fast duplicates are found: demo leads, and doubles of some of them, each written in another awkward
// way that leaves only one kind of key in common.
import { join } from 'node:path'
import { type KeyKind, keyKinds, largeGroup } from '@rapport/contract/duplicates.values'
import type { Pool } from '../src/db/driver.ts'
import { migrate } from '../src/db/migrate.ts'
import { run, runAll, sql } from '../src/db/sql.ts'
import { buildDemo } from '../src/demo/demo.ts'
import { newId } from '../src/ids.ts'
import { createRandom, type Random } from '../src/random.ts'
import { insertLeads, unrelated } from '../src/resources/leads/create/insert.sql.ts'
import { buildAgain } from '../src/resources/leads/duplicates/build.sql.ts'
import { buildKeys } from '../src/resources/leads/duplicates/build.ts'
import { countGroups } from '../src/resources/leads/duplicates/groups.sql.ts'
import { readGroups } from '../src/resources/leads/duplicates/groups.ts'
import { numberOf } from '../src/resources/leads/duplicates/keys.ts'
import { openAsSuperuser } from '../test/open-as-superuser.ts'
import { duration, type Line, median, short } from './figures.ts'

type Lead = Record<string, string>
type Pair = { id: string; other: string; kind: KeyKind }

const doubleShare = 0.03
const time_zone = 'UTC'

export async function measureDuplicates(
  { folder, leads }: { folder: string; leads: number },
  say: (line: string) => void,
  signal: AbortSignal,
): Promise<Line[]> {
  const dataDir = join(folder, `duplicates-${leads}`)
  const { pool, close } = await openAsSuperuser({ dataDir, databaseUrl: undefined, poolSize: 2 })
  try {
    await migrate(pool)
    const order = { leads, seed: 1, now: new Date(), space: undefined, add: false, signal }
    const { id_space: space } = await buildDemo(pool, order)
    const truth = await addDoubles(pool, space, Math.round(leads * doubleShare))
    say(`${short(leads)} leads, ${short(truth.length)} doubles`)
    await run(pool, sql`truncate lead_key`)
    await buildAgain(pool, space)
    const built = await timed(() => buildKeys(pool, signal))
    await run(pool, sql`vacuum analyze lead_key`)
    const page = { kinds: keyKinds, start: undefined, limit: 20, large: false }
    const times: number[] = []
    for (let round = 0; round < 9; round++) {
      times.push(await timed(() => readGroups(pool, space, page)))
    }
    const counted = await timed(() => countGroups(pool, space))
    say(`first page ${duration(median(times))}, all counted in ${duration(counted)}`)
    const lines = await Promise.all(keyKinds.map((kind) => quality(pool, space, kind, truth)))
    const rate = leads / (built / 1000)
    return [
      {
        ...{ operation: 'make keys', measured: duration(built), target: '1,000,000 in 180 s' },
        detail: `${short(rate)} leads a second`,
        isReached: rate >= 1_000_000 / 180,
      },
      {
        ...{ operation: 'first page of groups', measured: duration(median(times)) },
        ...{ target: 'within 300 ms', detail: `at first ${duration(times[0] ?? 0)}` },
        isReached: median(times) <= 300,
      },
      ...lines,
    ]
  } finally {
    await close()
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** Writes doubles of random people. Returns the true pairs. */
async function addDoubles(pool: Pool, space: string, count: number): Promise<Pair[]> {
  const random = createRandom(7)
  const people = await run<Lead[]>(
    pool,
    sql`select id, first_name, last_name, company, email, phone, linkedin_url, timezone from lead
      where id_space = ${space} and not is_company and company is not null and email is not null
        and phone is not null and linkedin_url is not null
      order by md5(id::text) limit ${count}`,
  )
  const now = new Date().toISOString()
  const made = people.map((lead, at) => {
    const kind = keyKinds[at % keyKinds.length] as KeyKind
    const row: Record<string, unknown> = { id: newId(), created_at: now, attributes: {} }
    Object.assign(row, variants[kind](lead, random), { updated_at: now, usersId: null })
    return { row, pair: { id: lead.id as string, other: row.id as string, kind } }
  })
  for (let at = 0; at < made.length; at += 5_000) {
    const rows = made.slice(at, at + 5_000).map(({ row }) => ({ row, ...unrelated }))
    await pool.begin((tx) => runAll(tx, insertLeads(space, rows, time_zone)))
  }
  return made.map(({ pair }) => pair)
}

/** A double that has only this in common. */
const variants: Record<KeyKind, (lead: Lead, random: Random) => object> = {
  email: ({ email = '', first_name }) => ({ first_name, email: ` ${email.toUpperCase()} ` }),
  email_loose: ({ email = '', first_name }) => ({ first_name, email: email.replace('@', '+crm@') }),
  phone: ({ phone = '', timezone, first_name }, random) => ({
    ...{ first_name, timezone, phone: otherPhone(phone, random) },
  }),
  linkedin: ({ linkedin_url = '', first_name }) => ({
    first_name,
    linkedin_url: `${linkedin_url.replace('https://www.', 'http://de.').toUpperCase()}/?trk=people`,
  }),
  name_company: ({ first_name = '', last_name = '', company = '' }, random) => ({
    ...{ first_name: plain(last_name), last_name: `Dr. ${plain(first_name)}` },
    company: otherCompany(company, random),
  }),
  name_domain: ({ first_name = '', last_name = '', email = '' }) => ({
    ...{ first_name: first_name.toUpperCase(), last_name: `${plain(last_name)} Jr.` },
    email: `office-${email.length}@${email.split('@')[1]}`,
    company: 'unknown',
  }),
}

const plain = (text: string) => text.normalize('NFD').replace(/[\u0300-\u036f]/g, '')

/** As people of the country write it. */
function otherPhone(phone: string, random: Random): string {
  const [, code = '', rest = ''] = /^\+(\d+) (.*)$/.exec(phone) ?? []
  const national = ['1', '34', '39', '48'].includes(code) ? rest : `0${rest}`
  const forms = [`00${code} ${rest}`, `+${code}${rest.replace(/\D/g, '')}`, national]
  if (national.startsWith('0')) forms.push(`+${code} (0)${rest.replaceAll(' ', '-')}`)
  return random.pick(forms)
}

const legalForm = /,? (Inc\.|LLC|Ltd|GmbH|AG|SARL|SAS|S\.L\.|S\.A\.|S\.r\.l\.|S\.p\.A\.|AB)$/

function otherCompany(company: string, random: Random): string {
  const core = company.replace(legalForm, '')
  return random.pick([core, core.toUpperCase(), plain(core), `${core} Ltd.`, `The ${core}`])
}

/** Recall: true pairs of the kind that are in one group. Precision: pairs of its groups that are true, of any kind. */
async function quality(pool: Pool, space: string, kind: KeyKind, truth: Pair[]): Promise<Line> {
  const number = numberOf(kind)
  const rows = await run<{ id: string; other: string }[]>(
    pool,
    kind === 'email_loose'
      ? sql`select least(a.id_lead, b.id_lead) as id, greatest(a.id_lead, b.id_lead) as other
          from lead_key a join lead_key b on b.id_space = ${space} and b.kind in (${number}, 1)
            and b.key = a.key and b.id_lead <> a.id_lead
          where a.id_space = ${space} and a.kind = ${number}`
      : sql`with large as (
            select key from lead_key where id_space = ${space} and kind = ${number}
            group by key having count(*) > ${largeGroup})
          select a.id_lead as id, b.id_lead as other
          from lead_key a join lead_key b on b.id_space = ${space} and b.kind = ${number}
            and b.key = a.key and b.id_lead > a.id_lead
          where a.id_space = ${space} and a.kind = ${number} and a.key not in (select key from large)`,
  )
  const nameOf = (one: { id: string; other: string }) => [one.id, one.other].toSorted().join()
  const found = new Set(rows.map(nameOf))
  const wanted = truth.filter((pair) => pair.kind === kind)
  const all = new Set(truth.map(nameOf))
  const hits = wanted.filter((pair) => found.has(nameOf(pair))).length
  const right = [...found].filter((name) => all.has(name)).length
  const isExact = !kind.startsWith('name_')
  return {
    operation: `doubles by ${kind}`,
    measured: `recall ${((hits / wanted.length) * 100).toFixed(1)} %`,
    target: isExact ? 'recall 100 %' : 'recall 95 %',
    detail: `${hits} of ${wanted.length}; precision ${((right / found.size) * 100).toFixed(1)} % of ${found.size} pairs`,
    isReached: hits / wanted.length >= (isExact ? 1 : 0.95),
  }
}
