// A change of a lead shows immediately wherever the lead is shown, and is reverted, with the reason, when the service
// refuses it.
import { call, newRequestId, open } from '../api/call.ts'
import { client } from '../api/client.ts'
import { Fault } from '../api/fault.ts'
import { keepOpen } from '../api/keep-open.ts'
import { type Lead, nameOf } from '../api/lead.ts'
import { putLead } from '../api/leads.ts'
import { changedMeanwhile, describeMeanwhile, historyLagMs } from '../api/meanwhile.ts'
import { forget, remember, undoRequest } from '../api/undo.ts'
import { tellFault } from '../ui/toast.tsx'
import { words } from '../words/index.ts'
import { askIfLost } from './lost.ts'

/** Changes of one lead follow each other, so that each sees what the previous one did. */
const inTurn = new Map<string, Promise<unknown>>()

/**
 * Changes a lead: `shown` immediately, `body` on the service. `lead` is the lead as it was when the editing began.
 * When the service refuses, or when others changed the same in the meantime, only what this change set goes
 * back, so that a later change is not lost.
 */
export async function changeLead(
  lead: Lead,
  shown: Partial<Lead>,
  body: Record<string, unknown>,
  label: string,
): Promise<boolean> {
  putLead(lead.id, (current) => merged(current, shown))
  const request = newRequestId()
  const turn = (inTurn.get(lead.id) ?? Promise.resolve()).then(() =>
    save({ lead, shown, body, label, request }),
  )
  inTurn.set(lead.id, turn)
  remember({
    id: request,
    label: words.undo.change(label, nameOf(lead)),
    undo: async () => {
      await turn
      return undoRequest(lead.id, request)
    },
  })
  const isSaved = await keepOpen(turn)
  if (inTurn.get(lead.id) === turn) inTurn.delete(lead.id)
  return isSaved
}

interface Change {
  lead: Lead
  shown: Partial<Lead>
  body: Record<string, unknown>
  label: string
  /** The id of the request that makes the change. */
  request: string
}

async function save(change: Change): Promise<boolean> {
  const { lead, shown, body, label, request } = change
  const { id } = lead
  try {
    const { now, tag } = await readLead(id)
    const names = changedMeanwhile(lead, now, shown)
    if (names.length > 0) {
      const reason = new Error(await describeMeanwhile(now, names, shown))
      putLead(id, () => now)
      forget(request)
      tellFault(words.faults.notSaved(label), reason, {
        label: words.actions.saveMine,
        run: () => void changeLead(now, shown, body, label),
      })
      return false
    }
    const headers = { 'X-Request-Id': request, ...(tag && { 'If-Match': tag }) }
    const saved = await call('PATCH /lead/{id}', { id, body, headers })
    if (changedMeanwhile(now, saved, shown).length === 0) forget(request)
    putLead(id, () => saved)
    if (shown.status) askIfLost(lead, saved)
    setTimeout(
      () => void client.invalidateQueries({ queryKey: ['lead', id, 'events'] }),
      historyLagMs,
    )
    return true
  } catch (error) {
    // Someone changed it between the two requests: look again at what they changed.
    if (error instanceof Fault && error.status === 412) return save(change)
    forget(request)
    putLead(id, (current) => merged(current, restored(lead, shown, current)))
    tellFault(words.faults.notSaved(label), error, {
      label: words.actions.retry,
      run: () => void changeLead(lead, shown, body, label),
    })
    return false
  }
}

/** The lead as it is now, and the tag of this state. */
async function readLead(id: string): Promise<{ now: Lead; tag: string | null }> {
  const response = await open('GET /lead/{id}', { id })
  return { now: (await response.json()) as Lead, tag: response.headers.get('ETag') }
}

function merged(lead: Lead, shown: Partial<Lead>): Lead {
  return { ...lead, ...shown, attributes: { ...lead.attributes, ...shown.attributes } }
}

function restored(before: Lead, shown: Partial<Lead>, current: Lead): Partial<Lead> {
  const names = (Object.keys(shown) as (keyof Lead)[]).filter(
    (name) => name !== 'attributes' && current[name] === shown[name],
  )
  const ids = Object.keys(shown.attributes ?? {}).filter(
    (id) => current.attributes[id] === shown.attributes?.[id],
  )
  return {
    ...Object.fromEntries(names.map((name) => [name, before[name]])),
    attributes: Object.fromEntries(ids.map((id) => [id, before.attributes[id] ?? null])),
  }
}
