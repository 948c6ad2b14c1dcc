// Texts below the top level of a body: in options, attributes, free fields, bulk changes and files.
// They must be read back unchanged too.
import { isDeepStrictEqual } from 'node:util'
import { changeFields, type FieldSpec, leadFields } from '@rapport/contract/leads/fields'
import { newId } from '../src/ids.ts'
import type { Random } from '../src/random.ts'
import { unguard } from '../src/resources/transfer/file/guard.ts'
import type { TextTally } from './fuzz.texts.ts'
import { oddText, withKey } from './fuzz.values.ts'
import type { Workspace } from './service.ts'
import { Breach } from './torture.ts'

type Texts = Record<string, string>

/** The free texts that every way of writing a lead takes and GET /lead/{id} shows. */
const textFields = changeFields.filter((name) => {
  const { kind, answer }: FieldSpec = leadFields[name]
  return kind === 'text' && answer !== 'search'
})

export async function nestedTexts(
  space: Workspace,
  random: Random,
  tally: TextTally,
): Promise<void> {
  const text = () => `${oddText(random)}x${oddText(random)}`.slice(0, 200)

  async function call(method: string, path: string, body?: unknown, type?: string) {
    tally.requests++
    const answer = await space.call(method, path, body, type)
    if (answer.status === 200) return answer.body
    throw new Breach(`${method} ${path} refused ${JSON.stringify(body)}: ${answer.text}`)
  }

  function same(what: string, sent: unknown, came: unknown): void {
    tally.fields.add(what)
    tally.values++
    if (isDeepStrictEqual(came, sent)) return
    throw new Breach(`${what}: ${JSON.stringify(sent)} came back as ${JSON.stringify(came)}`)
  }

  async function options(): Promise<void> {
    const named = () => ({ name: text(), color: text() })
    const sent = [named(), named()]
    const body = { type: 'SELECT', name: text(), select_options: sent }
    const made = await call('POST', '/attributes', body)
    const changed = made.select_options.map(({ id }: { id: string }) => ({ id, ...named() }))
    await call('PATCH', `/attributes/${made.id}`, { select_options: changed })
    const read = await call('GET', '/attributes')
    const shown = made.select_options.map(({ id: _, ...option }: { id: string }) => option)
    same('POST /attributes select_options', sent, shown)
    const stored = read.find(({ id }: { id: string }) => id === made.id).select_options
    same('PATCH /attributes/{id} select_options', changed, stored)
    await call('DELETE', `/attributes/${made.id}`)
  }

  async function statuses(): Promise<void> {
    const { id } = await call('POST', '/status', { name: text() })
    const sent = { name: text(), color: text() }
    await call('PATCH', '/status', { status: [{ id, ...sent }] })
    const [read] = (await call('GET', '/status')).filter((one: { id: string }) => one.id === id)
    same('PATCH /status status', sent, { name: read.name, color: read.color })
  }

  /** Attribute values and free fields, in single and in bulk changes. */
  async function leads(): Promise<void> {
    const attribute = (await call('POST', '/attributes', { type: 'TEXT', name: text() })).id
    const email = `${newId()}@example.com`
    const values = () => ({
      attributes: { [attribute]: text() },
      custom_fields: withKey({ [text()]: [text(), { [text()]: text() }] }, '__proto__', text()),
    })
    const created = values()
    const { id } = await call('POST', '/lead', { email, ...created })
    const compare = async (what: string, sent: ReturnType<typeof values>) => {
      same(`${what} attributes`, sent.attributes, (await call('GET', `/lead/${id}`)).attributes)
      const { custom_fields } = await call('POST', '/leads/search', { email })
      same(`${what} custom_fields`, sent.custom_fields, JSON.parse(custom_fields))
    }
    await compare('POST /lead', created)
    const changed = values()
    await call('PATCH', `/lead/${id}`, changed)
    await compare('PATCH /lead/{id}', changed)
    const many = { ...fieldTexts(), ...values() }
    await call('PATCH', '/leads/update-many', { data: many, filter: { leads: [id] } })
    const read = await call('GET', `/lead/${id}`)
    for (const field of textFields) {
      same(`PATCH /leads/update-many ${field}`, many[field], read[field])
    }
    same('PATCH /leads/update-many attributes', many.attributes, read.attributes)
    await call('DELETE', `/attributes/${attribute}`)
  }

  function fieldTexts(): Record<(typeof changeFields)[number], string> {
    return Object.fromEntries(textFields.map((field) => [field, text()])) as never
  }

  async function files(): Promise<void> {
    const quote = (value: string) => `"${value.replaceAll('"', '""')}"`
    const kinds: Record<string, (lead: Texts) => string> = {
      'text/csv': (lead) =>
        `${Object.keys(lead).join(',')}\n${Object.values(lead).map(quote).join(',')}\n`,
      'application/x-ndjson': (lead) => `${JSON.stringify(lead)}\n`,
    }
    for (const [type, write] of Object.entries(kinds)) {
      // The columns by which our own export is known: in other files spaces around a cell are dropped.
      const own = { created_at: '2026-01-31T09:30:00Z', is_company: 'false', contract_value: '7' }
      const sent = { id: newId(), ...own, ...fieldTexts() }
      await call('POST', '/leads/import?encoding=utf-8&separator=,', write(sent), type)
      const read = await call('GET', `/lead/${sent.id}`)
      // In a CSV file an apostrophe before a sign of a formula is no part of the text.
      const meant = type === 'text/csv' ? unguard : (text: string) => text
      for (const field of textFields)
        same(`${type} ${field}`, meant(sent[field] ?? ''), read[field])
    }
  }

  await options()
  await statuses()
  await leads()
  await files()
}
