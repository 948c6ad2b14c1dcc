// Merging the leads of a group, or saying that they are not duplicates. Both can be undone. Each resolves to whether it
// was done.
import { call } from '../../api/call.ts'
import { type Lead, nameOf } from '../../api/lead.ts'
import { refreshLeads } from '../../api/leads.ts'
import { remember } from '../../api/undo.ts'
import { runOperation, undo } from '../../parts/bulk/undo-last.ts'
import { tell, tellFault } from '../../ui/toast.tsx'
import { duplicates as said } from '../../words/duplicates.ts'
import { words } from '../../words/index.ts'
import { type Choices, fieldsOf, type Row } from './choose.ts'

const idsOf = (leads: readonly Lead[]) => leads.map(({ id }) => id)

export async function mergeGroup(leads: readonly Lead[], rows: readonly Row[], choices: Choices) {
  const { survivor } = choices
  const kept = leads.find(({ id }) => id === survivor)
  const data = { survivor, fields: fieldsOf(choices, rows, leads) }
  try {
    await runOperation(
      { kind: 'merge', filter: { leads: idsOf(leads) }, data },
      said.merged((kept && nameOf(kept)) || words.leads.unnamed),
    )
    return true
  } catch (error) {
    tellFault(said.notMerged, error)
    return false
  }
}

export async function dismissGroup(leads: readonly Lead[]) {
  const body = { leads: idsOf(leads) }
  const takeBack = async (): Promise<undefined> => {
    await call('POST /duplicates/undismiss', { body })
    refreshLeads()
  }
  try {
    await call('POST /duplicates/dismiss', { body })
    refreshLeads()
    const done = { id: body.leads.join(), label: said.dismissed, undo: takeBack }
    remember(done)
    tell(said.dismissed, { action: { label: words.actions.undo, run: () => undo(done) } })
    return true
  } catch (error) {
    tellFault(said.notDismissed, error)
    return false
  }
}
