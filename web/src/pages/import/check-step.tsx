// What the dry run says: what will be created, updated and refused, and why.
import { duplicateWays } from '@rapport/contract/transfer.values'
import { Link } from 'wouter'
import { LeadName } from '../../kinds/lead-name.tsx'
import { Button } from '../../ui/button.tsx'
import { duplicates as said } from '../../words/duplicates.ts'
import { words } from '../../words/index.ts'
import { Counts } from './counts.tsx'
import css from './import.module.css'
import { Made, Reasons } from './made.tsx'
import { EarlierNotice, RunActions } from './run-actions.tsx'
import { useGoTo } from './steps.ts'
import { decideDuplicates, useWizard } from './wizard.ts'

export function CheckStep() {
  const goTo = useGoTo()
  const { checked, file, unknown } = useWizard()
  const { imports } = words
  if (!checked || !file) return null
  const ready = checked.created + checked.updated
  return (
    <>
      <h2 className={css.title}>{imports.willBe}</h2>
      <Counts {...checked} rejected={checked.rejected_total} />
      <Made {...checked} />
      <Reasons {...checked} />
      <EarlierNotice />
      {checked.unmatched > 0 && <p className={css.warn}>{imports.unmatched(checked.unmatched)}</p>}
      <LikeLeads />
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

/** How many examples are shown. */
const examples = 5

/** Rows that match no lead, and still look like one. */
function LikeLeads() {
  const { checked, choices } = useWizard()
  const { rows = 0, sample = [] } = checked?.duplicates ?? {}
  if (rows === 0) return null
  return (
    <fieldset className={css.question}>
      <legend>{said.inImport.rows(rows)}</legend>
      {duplicateWays.map((way) => (
        <label key={way}>
          <input
            type="radio"
            name="duplicates"
            checked={choices.duplicates === way}
            onChange={() => void decideDuplicates(way)}
          />
          {said.inImport.ways[way]}
        </label>
      ))}
      <ul className={css.soft} aria-label={said.inImport.examples}>
        {sample.slice(0, examples).map(({ row, lead }) => (
          <li key={row}>
            {said.inImport.row(row)}{' '}
            <Link href={`/lead/${lead}`}>
              <LeadName id={lead} />
            </Link>
          </li>
        ))}
      </ul>
    </fieldset>
  )
}
