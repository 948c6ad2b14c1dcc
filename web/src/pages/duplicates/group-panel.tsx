// One group of possible duplicates: look at the leads, choose, merge.
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import type { Lead } from '../../api/lead.ts'
import { useRecords } from '../../api/records.ts'
import { useMayWrite } from '../../api/session.ts'
import { useCommands } from '../../frame/commands.ts'
import { allFields } from '../../kinds/fields.ts'
import { Button } from '../../ui/button.tsx'
import { coverAsBar } from '../../ui/cover.ts'
import { Kbd } from '../../ui/kbd.tsx'
import { duplicates as said } from '../../words/duplicates.ts'
import { words } from '../../words/index.ts'
import { beside, type Choices, firstChoices, rowsOf } from './choose.ts'
import { Compare } from './compare.tsx'
import css from './duplicates.module.css'
import { dismissGroup, mergeGroup } from './group-actions.ts'

interface Props {
  leads: readonly Lead[]
  reasons: readonly string[]
  /** Where it is among the groups. */
  place?: string
  /** Shows the group that is this far before or after it. */
  onStep: (by: number) => void
  /** It was merged or dismissed. */
  onGone: () => void
}

/** The key of this component is that of the group: another one has other choices. */
export function GroupPanel({ leads, reasons, place, onStep, onGone }: Props) {
  const records = useRecords()
  const mayWrite = useMayWrite()
  const rows = rowsOf(leads, allFields(records.attributes))
  const [chosen, setChoices] = useState<Choices>()
  const choices = chosen ?? firstChoices(leads, rows)
  const [isBusy, setBusy] = useState(false)
  const act = async (action: () => Promise<boolean>) => {
    if (isBusy || !mayWrite) return
    setBusy(true)
    if (await action()) onGone()
    else setBusy(false)
  }
  const merge = () => void act(() => mergeGroup(leads, rows, choices))
  const dismiss = () => void act(() => dismissGroup(leads))
  const survive = (by: number) => setChoices(beside(choices, leads, by))
  const group = words.nav.duplicates
  useCommands([
    ...(mayWrite
      ? [
          { group, id: 'merge', title: said.merge(leads.length), keys: 'Enter', run: merge },
          { group, id: 'different', title: said.different, keys: 'X', run: dismiss },
          {
            ...{ group, id: 'survivor-left', title: said.left, keys: 'ArrowLeft', isHidden: true },
            run: () => survive(-1),
          },
          {
            ...{ group, id: 'survivor-right', title: said.right, keys: 'ArrowRight' },
            ...{ isHidden: true, run: () => survive(1) },
          },
        ]
      : []),
    { group, id: 'next-group', title: said.next, keys: 'J', run: () => onStep(1) },
    { group, id: 'previous-group', title: said.previous, keys: 'K', run: () => onStep(-1) },
  ])
  return (
    <section className={css.panel} aria-label={said.compare} aria-busy={isBusy}>
      {(place || reasons.length > 0) && (
        <header className={css.head}>
          <ul className={css.reasons}>
            {reasons.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
          {place && (
            <div className={css.step}>
              <Button look="icon" aria-label={said.previous} onClick={() => onStep(-1)}>
                <ChevronLeft size={16} />
              </Button>
              <span>{place}</span>
              <Button look="icon" aria-label={said.next} onClick={() => onStep(1)}>
                <ChevronRight size={16} />
              </Button>
            </div>
          )}
        </header>
      )}
      <div className={css.scroll}>
        <Compare
          {...{ leads, rows, records, choices }}
          mayChoose={mayWrite && !isBusy}
          onChoose={setChoices}
        />
      </div>
      {mayWrite && (
        <footer ref={coverAsBar} className={css.actions}>
          <p className={css.note}>
            {said.kept} <span className={css.keys}>{said.keys}</span>
          </p>
          <Button disabled={isBusy} onClick={dismiss}>
            {said.different} <Kbd keys="X" />
          </Button>
          <Button look="go" disabled={isBusy} onClick={merge}>
            {said.merge(leads.length)} <Kbd keys="Enter" onAccent />
          </Button>
        </footer>
      )}
    </section>
  )
}
