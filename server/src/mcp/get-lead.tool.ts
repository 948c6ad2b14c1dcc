import { contract } from '@rapport/contract'
import { badRequest } from '@rapport/contract/errors'
import { Type } from 'typebox'
import { isId } from '../ids.ts'
import type { Call } from './ask.ts'
import { eventInWords, whoOf } from './events.ts'
import { tellLeads } from './lead.ts'
import { reads, tool } from './tool.ts'
import { quoted } from './workspace.ts'

/** How many notes, reminders and changes are returned. */
const most = 10

export const Lead = Type.String({ description: 'Its id or email' })

/** The id of the lead with this id or email address. */
export async function findLead(
  call: Call,
  given: string,
  path: string[] = ['lead'],
): Promise<string> {
  if (isId(given)) return given.toLowerCase()
  const body = {
    filter: { fields: [{ field: 'email', operator: 'is' as const, value: given }] },
    id_only: true,
  }
  const { leads } = await call(contract.leads.routes.list, {
    body: { ...body, pagination: { page_size: 1 } },
  })
  const [found] = leads
  if (found) return found.id
  const message = `No lead has the id or email ${quoted(given)}. Find it with find_leads.`
  throw badRequest({ path, code: 'unknown_record', message })
}

export const getLead = tool({
  name: 'get_lead',
  title: 'Get a lead',
  description: 'All fields of a lead, its notes, open reminders and recent changes.',
  input: Type.Object({ lead: Lead }),
  annotations: reads,
  needs: [contract.leads.routes.get],

  async run({ call, workspace }, { lead: given }) {
    const id = await findLead(call, given)
    const pagination = { page: 1, page_size: most }
    const [lead, notes, reminders, { events }, members] = await Promise.all([
      call(contract.leads.routes.get, { id }),
      call(contract.notes.routes.list, { body: { id_lead: id, pagination } }),
      call(contract.reminders.routes.list, {
        body: { filter: { id_lead: id, is_done: false }, pagination },
      }),
      call(contract.events.routes.ofLead, { id, query: { limit: String(most) } }),
      workspace.names('member'),
    ])
    const [told] = await tellLeads(workspace, [lead], 'all')
    const author = (member: string | null) => (member && members.get(member)) || undefined
    return {
      says: 'The lead, with its newest notes, open reminders and newest changes.',
      next: { id },
      data: {
        lead: told,
        notes: notes.map(({ id, kind, content, created_at, id_author, outcome }) => ({
          ...{ id, kind, content, at: created_at, by: author(id_author) },
          ...(outcome && { outcome }),
        })),
        reminders: reminders.data.map(({ id, name, date, users }) => ({
          ...{ id, name, date, for: users.map((user) => author(user)) },
        })),
        changes: events.map((event) => ({
          ...{ change: event.seq, at: event.at, by: whoOf(event.actor, members) },
          what: eventInWords(event),
        })),
      },
    }
  },
})
