// What the dry run says: what will be created, updated and refused, and why.
import { Button } from '../../ui/button.tsx'
import { imports } from '../../words/imports.ts'
import { AlikeRows } from './alike-rows.tsx'
import { Counts } from './counts.tsx'
import { expectedOf } from './decided-rows.ts'
import css from './import.module.css'
import { Made, Reasons } from './made.tsx'
import { EarlierNotice, RunActions } from './run-actions.tsx'
import { useGoTo } from './steps.ts'
import { useWizard } from './wizard.ts'

export function CheckStep() {
  const goTo = useGoTo()
  const { checked, choices, file, unknown } = useWizard()
  if (!checked || !file) return null
  const expected = expectedOf(checked, choices)
  const ready = expected.created + expected.updated
  return (
    <>
      <h2 className={css.title}>{imports.willBe}</h2>
      <Counts {...expected} rejected={checked.rejected_total} />
      <Made {...checked} />
      <Reasons {...checked} />
      <EarlierNotice />
      {checked.unmatched > 0 && <p className={css.warn}>{imports.unmatched(checked.unmatched)}</p>}
      <AlikeRows {...checked.duplicates} />
      {ready === 0 && <p className={css.warn}>{imports.nothing}</p>}
      <RunActions rows={ready} isPossible={ready > 0}>
        <Button onClick={() => goTo('columns')}>{imports.changeColumns}</Button>
        {unknown.length > 0 && (
          <Button onClick={() => goTo('values')}>{imports.changeValues}</Button>
        )}
      </RunActions>
    </>
  )
}
