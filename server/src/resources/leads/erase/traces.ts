// What is left of erased leads in texts that have none of their ids: filters of saved views, webhooks, operations
// and of exports in the audit log, events of views, rejected rows and file names of imports, kept responses.
//
// A name is removed unless a remaining lead has it. "Anna" in the search of a view stays as long as there is another
// Anna; anna.schmidt@a.example is removed with its lead.
import { setImmediate } from 'node:timers/promises'
import { type Contact, contactsFields, leadFields } from '@rapport/contract/leads/fields'
import type { Db } from '../../../db/driver.ts'
import { type Sql, sql } from '../../../db/sql.ts'
import {
  jsonWithoutNames,
  type KnownNames,
  type Mention,
  mentionsAny,
  Names,
  nameFields,
  rowsWithoutNames,
  withoutNames,
} from './names.ts'
import {
  deleteTexts,
  eachTexts,
  lockTexts,
  type NamesRow,
  type Source,
  selectKept,
  selectNames,
  selectSearchTexts,
  sources,
  type Texts,
  updateTexts,
  type Value,
} from './traces.sql.ts'

export interface Traces {
  /** Phrase → name, as in a Mention. */
  found: Map<string, string>
  rows: { source: Source; key: string[] }[]
}

/** The batch size, because the names are in memory. */
const groupSize = 20_000

/** Call it before the leads are erased. `ids` is one text, as pickLeads returns it. */
export async function findTraces(
  db: Db,
  space: string,
  ids: string,
  count: number,
): Promise<Traces> {
  const found = new Map<string, string>()
  const rows = new Map<string, Traces['rows'][number]>()
  for (let first = 1; first <= count; first += groupSize) {
    const group = sql`(${ids}::uuid[])[${first}::int:${first + groupSize - 1}::int]`
    const known = await readNames(db, space, group)
    if (known.isEmpty) continue
    for (const source of sources) {
      for await (const { key, values } of eachTexts(db, space, source)) {
        const mentions = Object.values(values).flatMap((value) => mentionsIn(value, known))
        if (mentions.length === 0) continue
        for (const { phrase, name } of mentions) found.set(phrase, name)
        rows.set([source.table, ...key].join(' '), { source, key })
      }
    }
  }
  return { found, rows: [...rows.values()] }
}

function mentionsIn(value: Value, names: Names): Mention[] {
  const texts = Buffer.isBuffer(value) ? [value.toString(), value.toString('latin1')] : [value]
  return texts.flatMap((text) => (text ? [...names.mentions(text)] : []))
}

async function readNames(db: Db, space: string, ids: Sql): Promise<Names> {
  const leads = new Map<string, KnownNames>()
  for await (const rows of selectNames(db, space, ids)) {
    for (const row of rows) addRow(leads, row)
    await setImmediate()
  }
  const names = new Names()
  let done = 0
  for (const known of leads.values()) {
    names.addLead(known)
    // Other requests continue in the meantime.
    if (++done % 200 === 0) await setImmediate()
  }
  return names
}

function addRow(leads: Map<string, KnownNames>, { id, is_company, values }: NamesRow): void {
  const known = leads.get(id) ?? {}
  leads.set(id, known)
  const add = (field: keyof KnownNames, value: unknown) => {
    if (typeof value === 'string') known[field] = (known[field] ?? new Set()).add(value)
  }
  for (const field of nameFields) {
    // The company of a person is another lead.
    if (field === 'company' && !is_company) continue
    for (const value of [values[field]].flat()) add(field, value)
  }
  for (const field of contactsFields) {
    for (const contact of [values[field]].flat(2) as (Contact | null | undefined)[]) {
      add(leadFields[field].of, contact?.value)
    }
  }
}

/** Call it after the leads are erased. */
export async function forgetTraces(db: Db, space: string, traces: Traces): Promise<void> {
  const names = await withoutKept(db, space, traces.found)
  if (names.isEmpty) return
  for (const { source, key } of traces.rows) {
    const row = await lockTexts(db, space, source, key)
    if (row) await forgetRow(db, space, source, row, names)
  }
}

/** A text may have a name among many other words. At most this many leads with these words are checked. */
const looked = 200

/** The phrases whose names no other lead has. */
async function withoutKept(db: Db, space: string, found: Traces['found']): Promise<Names> {
  const names = [...new Set(found.values())]
  const kept = new Set<string>()
  const isKey = (name: string) => name.includes('@') || /^\d+$/.test(name)
  const phrases = names.filter((name) => !isKey(name))
  for (const { phrase, text } of await selectSearchTexts(db, space, phrases, looked)) {
    if (!kept.has(phrase) && isMentioned(text, Names.of([phrase]))) kept.add(phrase)
  }
  for (const key of await selectKept(db, space, names.filter(isKey))) kept.add(key)
  const gone = [...found].filter(([, name]) => !kept.has(name))
  return Names.of(gone.map(([phrase]) => phrase))
}

const isMentioned = (text: string, names: Names) => !names.mentions(text).next().done

async function forgetRow(
  db: Db,
  space: string,
  source: Source,
  { key, values }: Texts,
  names: Names,
): Promise<void> {
  const changed: Record<string, Value> = {}
  for (const [name, value] of Object.entries(values)) {
    if (value === null) continue
    const hasName = Buffer.isBuffer(value) ? mentionsAny(value, names) : isMentioned(value, names)
    if (!hasName) continue
    const kind = source.columns[name]
    if (kind === 'key') return deleteTexts(db, space, source, key)
    changed[name] = without(value, kind, names)
  }
  if (Object.keys(changed).length > 0) {
    await updateTexts(db, space, source, { key, values: changed })
  }
}

function without(
  value: string | Buffer,
  kind: Source['columns'][string] | undefined,
  names: Names,
): Value {
  if (Buffer.isBuffer(value)) return rowsWithoutNames(value, names)
  if (kind === 'answer') return null
  if (kind === 'json') return JSON.stringify(jsonWithoutNames(JSON.parse(value), names))
  return withoutNames(value, names)
}
