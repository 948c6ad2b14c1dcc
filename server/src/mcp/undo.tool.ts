import { contract, type Event } from '@rapport/contract'
import { badRequest } from '@rapport/contract/errors'
import { Type } from 'typebox'
import { counted } from '../words.ts'
import { findLead } from './get-lead.tool.ts'
import { type Answer, tool, type Visit } from './tool.ts'

const { undo: undoOperation, undoChange } = contract.operations.routes

export const undo = tool({
  name: 'undo_change',
  title: 'Undo a change',
  description:
    'Undoes an operation of apply_change, or one change of a lead (a number or text that another tool has returned as "change"). Values that have changed since are kept. What was created is deleted.',
  input: Type.Object(
    {
      operation: Type.Optional(Type.String({ description: 'Its id' })),
      lead: Type.Optional(Type.String({ description: 'With change: the lead, by id or email' })),
      change: Type.Optional(Type.Unsafe<string | number>({ type: ['string', 'integer'] })),
    },
    { additionalProperties: false },
  ),
  annotations: {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: false,
  },
  needs: [undoOperation, undoChange],

  async run(visit, { operation, lead, change }) {
    if (operation !== undefined && change === undefined) {
      return tellUndo(await visit.call(undoOperation, { id: operation }))
    }
    if (lead === undefined || change === undefined || operation !== undefined) {
      const message = 'Send either operation, or lead and change'
      throw badRequest({ path: [], code: 'required', message })
    }
    return undoOne(visit, await findLead(visit.call, lead), change)
  },
})

const tellUndo = ({ id, undone = 0, kept = 0, kept_reasons = [] }: Undone): Answer => ({
  says: `${counted(undone, 'lead')} restored, ${kept} kept as they are.`,
  next: { operation: id, undone, kept, ...(kept > 0 && { kept_reasons }) },
  data: {},
})

interface Undone {
  id: string
  undone?: number
  kept?: number
  kept_reasons?: object[]
}

/** How many changes of a lead are looked at. */
const most = 200

/** What creates the record of an event is undone by deleting it. */
const created: Partial<Record<Event['type'], Parameters<Visit['call']>[0]>> = {
  'lead.created': contract.leads.routes.remove,
  'note.created': contract.notes.routes.remove,
  'reminder.created': contract.reminders.routes.remove,
}

async function undoOne({ call }: Visit, id: string, change: string | number): Promise<Answer> {
  const query = { limit: String(most) }
  const { events } = await call(contract.events.routes.ofLead, { id, query })
  const found = events.filter(
    ({ seq, cause }) => String(seq) === String(change) || cause.request_id === change,
  )
  const [first] = found
  if (!first) {
    const message = 'No such change of this lead. If it was made just now, try again in a moment.'
    throw badRequest({ path: ['change'], code: 'unknown_record', message })
  }
  const made = found.find(({ type }) => created[type])
  const remove = made && created[made.type]
  const record = made?.ids[0]
  if (!remove || !record) return tellUndo(await call(undoChange, { id, body: { seq: first.seq } }))
  await call(remove, { id: record })
  return { says: 'What was created is deleted.', next: { deleted: record }, data: {} }
}
