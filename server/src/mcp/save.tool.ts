import { contract } from '@rapport/contract'
import { errorBody } from '@rapport/contract/errors'
import { type ToldRelation, toldRelations } from '@rapport/contract/leads/relations'
import { each } from '@rapport/contract/shapes'
import { Type } from 'typebox'
import { toApiError } from '../http/errors.ts'
import { isId } from '../ids.ts'
import { counted, listed } from '../words.ts'
import { findAll, inTurn, Names } from './filter.ts'
import { type Tool, tool, type Visit } from './tool.ts'
import { readValues } from './values.ts'
import { kindsOfRelations } from './workspace.ts'

const { create, update, search } = contract.leads.routes

const Saved = Type.Object(
  {
    id: Type.Optional(Type.String({ description: 'Of a lead to update' })),
    email: Type.Optional(Type.String()),
    ...each(toldRelations, Type.Optional(Names())),
  },
  {
    additionalProperties: true,
    description: `Fields such as first_name, last_name, company, city, phone, contract_amount, is_company, and attributes by their names; null clears. ${listed(toldRelations)} (names) are added to what it has.`,
  },
)

type Given = Record<string, unknown> & { id?: string; email?: string } & Partial<
    Record<ToldRelation, string[]>
  >

export const saveLeads: Tool = tool({
  name: 'save_leads',
  title: 'Create or update leads',
  description:
    'Updates the lead with the id or email, or else creates one. Says for each what was done; an invalid one does not stop the others.',
  input: Type.Object({ leads: Type.Array(Saved, { minItems: 1, maxItems: 50 }) }),
  annotations: {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: false,
  },
  needs: [create],

  async run(visit, { leads }) {
    const results: { done: string }[] = []
    // One after the other: a second one with the same email updates the first.
    for (const [index, lead] of leads.entries()) {
      results.push(await saveOne(visit, lead as Given, index).catch((error) => refused(error)))
    }
    const count = (done: string) => results.filter((one) => one.done === done).length
    return {
      says: `${counted(count('created'), 'lead')} created, ${count('updated')} updated, ${count('refused')} refused.`,
      next: { change: visit.requestId },
      data: { leads: results },
    }
  },
})

async function saveOne({ call, workspace }: Visit, given: Given, index: number) {
  const { id, ...rest } = given
  const values = Object.entries(rest).filter(([name]) => !Object.hasOwn(kindsOfRelations, name))
  const path = ['leads', index]
  const fields = await readValues(workspace, Object.fromEntries(values), path)
  const relations = await inTurn(toldRelations, async (name) => {
    const names = given[name]
    const ids = names && (await findAll(workspace, kindsOfRelations[name], names, [...path, name]))
    return [name, ids] as const
  })
  const named = (suffix: string) =>
    Object.fromEntries(relations.flatMap(([name, ids]) => (ids ? [[name + suffix, ids]] : [])))
  const known = id ?? (await idOf(call, given.email))
  if (known === undefined) {
    const made = await call(create, { body: { ...fields, ...named('') } })
    return { done: 'created', id: made.id }
  }
  await call(update, { id: known, body: { ...fields, ...named('_connect') } })
  return { done: 'updated', id: known }
}

/** The oldest lead with this email address. */
async function idOf(call: Visit['call'], email: string | undefined): Promise<string | undefined> {
  if (!email) return undefined
  const found = await call(search, { body: { email } }).catch((error) => {
    if (toApiError(error).status === 404) return undefined
    throw error
  })
  return found && isId(found.id) ? found.id : undefined
}

/** Why one lead was not saved. What is wrong with the service is wrong for all. */
function refused(error: unknown) {
  const fault = toApiError(error)
  if (fault.status >= 500) throw error
  const { message, issues } = errorBody(fault)
  return { done: 'refused', message, issues: issues.slice(0, 3) }
}
