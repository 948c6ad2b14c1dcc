// Asks why a lead was lost, or once for many: a reason that others had, or any text.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { nameOf } from '../../api/lead.ts'
import { changeLead } from '../../kinds/change-lead.ts'
import { type AskedLost, stopAsking } from '../../kinds/lost.ts'
import { statsQuery } from '../../pipeline/stats.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Field } from '../../ui/form.tsx'
import { submitting } from '../../ui/submitting.ts'
import { words } from '../../words/index.ts'
import css from './why-lost.module.css'

const usedQuery = statsQuery({
  filter: { fields: [{ field: 'lost_reason', operator: 'is_not_empty' }] },
  group_by: 'lost_reason',
})
const shown = 8

export default function WhyLost({ of }: { of: AskedLost }) {
  const isMany = 'go' in of
  const before = isMany ? '' : (of.lost_reason ?? '')
  const [text, setText] = useState(before)
  const { data } = useQuery(usedQuery)
  const { lost } = words
  const used = (data?.groups ?? [])
    .toSorted((a, b) => b.count - a.count)
    .flatMap(({ key }) => key ?? [])
  const known = new Set(used.map((reason) => reason.toLowerCase()))
  const reasons = [...used, ...lost.usual.filter((reason) => !known.has(reason.toLowerCase()))]
  const save = (lost_reason: string) => {
    stopAsking()
    if (isMany) of.go(lost_reason)
    else if (lost_reason !== before)
      void changeLead(of, { lost_reason }, { lost_reason }, lost.reason)
  }
  return (
    <Dialog
      title={isMany ? lost.titleOfMany(of.count) : lost.title(nameOf(of) || words.leads.unnamed)}
      onClose={stopAsking}
    >
      <form className={css.form} onSubmit={submitting(() => save(text.trim()))}>
        <Field label={lost.reason} value={text} onValue={setText} isFirst />
        <div className={css.reasons} role="group" aria-label={lost.suggestions}>
          {data &&
            reasons.slice(0, shown).map((reason) => (
              <Button key={reason} onClick={() => save(reason)}>
                {reason}
              </Button>
            ))}
        </div>
        <DialogActions>
          <Button onClick={() => (isMany ? save('') : stopAsking())}>{lost.skip}</Button>
          <Button type="submit" look="go" disabled={text.trim() === ''}>
            {isMany ? lost.next : lost.save}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
