// Moving a card. It shows immediately; the service gets one lead and one place. When it refuses, the card
// goes back, and the page shows the reason.
import { call, newRequestId } from '../../api/call.ts'
import { client } from '../../api/client.ts'
import { Fault } from '../../api/fault.ts'
import { type Lead, nameOf } from '../../api/lead.ts'
import type { LeadsQuery } from '../../api/lead-pages.ts'
import { putLead } from '../../api/leads.ts'
import { forget, remember, undoRequest } from '../../api/undo.ts'
import { askIfLost } from '../../kinds/lost.ts'
import { tellFault } from '../../ui/toast.tsx'
import { words } from '../../words/index.ts'
import { columnKey, putIn, takeOut } from './column-cache.ts'
import { isNoStage } from './no-stage.ts'

interface Spot {
  status: string
  query: LeadsQuery
  /** The lead after it. Null: the end of the column. */
  before: string | null
}

export interface Move {
  lead: Lead
  from: Spot
  to: Spot
}

/** Moves follow each other: the place of one may be in front of a card that another one has just moved. */
let last: Promise<unknown> = Promise.resolve()
let waiting = 0
const touched = new Map<string, LeadsQuery>()

export function moveCard(move: Move): Promise<boolean> {
  const { lead, from, to } = move
  for (const { query, status } of [from, to]) {
    touched.set(status, query)
    // A response from before the move would show the card where it was.
    void client.cancelQueries({ queryKey: columnKey(query) })
  }
  takeOut(from.query, lead.id)
  putIn(to.query, lead, to.before)
  waiting++
  const request = newRequestId()
  const turn = last.then(() => save(move, request))
  last = turn
  remember({
    id: request,
    label: words.undo.move(nameOf(lead) || words.leads.unnamed),
    undo: async () => {
      await turn
      return undoRequest(lead.id, request)
    },
  })
  return turn
}

async function save(move: Move, request: string): Promise<boolean> {
  const { lead, from, to } = move
  const headers = { 'X-Request-Id': request }
  try {
    const saved = isNoStage(to.status)
      ? await call('PATCH /lead/{id}', {
          headers,
          id: lead.id,
          body: { status_disconnect: [from.status] },
        })
      : await call('POST /status/{id}/place', {
          headers,
          id: to.status,
          body: { id_lead: lead.id, before: to.before },
        })
    putLead(lead.id, () => saved)
    askIfLost(lead, saved)
    return true
  } catch (error) {
    forget(request)
    takeOut(to.query, lead.id)
    putIn(from.query, lead, from.before)
    const retry = { label: words.actions.retry, run: () => void moveCard(move) }
    const mayWork = error instanceof Fault && error.isPassing
    tellFault(words.board.notMoved(nameOf(lead)), error, mayWork ? retry : undefined)
    return false
  } finally {
    waiting--
    if (waiting === 0) readAgain()
  }
}

/** The columns that were changed here, and the sums. */
function readAgain(): void {
  for (const query of touched.values()) {
    void client.invalidateQueries({ queryKey: columnKey(query) })
  }
  touched.clear()
  void client.invalidateQueries({ queryKey: ['leads', 'stats'] })
}
