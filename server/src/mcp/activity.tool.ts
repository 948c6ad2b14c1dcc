import { contract } from '@rapport/contract'
import { badRequest } from '@rapport/contract/errors'
import { noteOutcomes } from '@rapport/contract/notes.values'
import { OneOf } from '@rapport/contract/shapes'
import { Type } from 'typebox'
import { findAll, Names } from './filter.ts'
import { findLead, Lead } from './get-lead.tool.ts'
import { tool } from './tool.ts'

const note = contract.notes.routes.create
const reminder = contract.reminders.routes.create

export const addActivity = tool({
  name: 'add_activity',
  title: 'Add a note, call, meeting or reminder',
  description: 'Records what happened with a lead, or reminds members of it.',
  input: Type.Object({
    lead: Lead,
    kind: OneOf(['note', 'call', 'meeting', 'reminder']),
    text: Type.String({ pattern: '\\S', maxLength: 20_000 }),
    at: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'When it is due (reminder), or when it happened (call, meeting)',
      }),
    ),
    outcome: Type.Optional(
      OneOf([...noteOutcomes.call, ...noteOutcomes.meeting], { description: 'Call or meeting' }),
    ),
    duration: Type.Optional(Type.Integer({ minimum: 0, description: 'Minutes' })),
    members: Type.Optional(Names('Whom to remind; default: the member of the key')),
  }),
  annotations: {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: false,
    openWorldHint: false,
  },
  needs: [note],

  async run({ call, workspace, requestId }, { lead, kind, text, at, outcome, duration, members }) {
    const id_lead = await findLead(call, lead)
    if (kind === 'reminder') {
      if (at === undefined)
        throw badRequest({ path: ['at'], code: 'required', message: 'Required' })
      const users = members && (await findAll(workspace, 'member', members, ['members']))
      const body = { name: text, id_lead, date: at, ...(users && { users }) }
      const { id } = await call(reminder, { body })
      return { says: 'Reminder created.', next: { id, lead: id_lead, change: requestId }, data: {} }
    }
    const details = {
      ...(at && { happened_at: at }),
      ...(outcome && { outcome }),
      ...(duration !== undefined && { duration }),
    }
    const { id } = await call(note, { body: { id_lead, kind, content: text, ...details } })
    return { says: 'Activity added.', next: { id, lead: id_lead, change: requestId }, data: {} }
  },
})
