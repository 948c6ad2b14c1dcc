// What the import did, whether it was undone, and the rows that it refused.
import { Link } from 'wouter'
import { leadsHref } from '../../addresses/leads.ts'
import { resultOf } from '../../parts/bulk/operations.ts'
import { Button } from '../../ui/button.tsx'
import { imports } from '../../words/imports.ts'
import { words } from '../../words/index.ts'
import { Counts } from './counts.tsx'
import css from './import.module.css'
import { Made, Reasons } from './made.tsx'
import { RefusedLink } from './refused-link.tsx'
import { useGoTo } from './steps.ts'
import { useUndoOf } from './undo-of.ts'
import { startOver, useWizard } from './wizard.ts'

export function ResultStep() {
  const goTo = useGoTo()
  const { result } = useWizard()
  const undo = useUndoOf(result)
  if (!result) return null
  const { id, created, updated, companies, rejected_total } = result
  const did = imports.done(created, updated, companies)
  const undone = undo && resultOf(undo)
  return (
    <>
      <h2 className={css.title}>{undone ? words.undo.done(undone.said, did) : did}</h2>
      {undone ? (
        <ul className={css.lines}>
          {undone.details.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      ) : (
        <>
          <Counts {...result} rejected={rejected_total} />
          <Made {...result} />
        </>
      )}
      {rejected_total > 0 && id && (
        <div className={css.notice}>
          <p>{imports.downloadNote}</p>
          <RefusedLink id={id} number={rejected_total} />
        </div>
      )}
      <Reasons {...result} />
      <div className={css.actions}>
        <Button
          onClick={() => {
            startOver()
            goTo('file')
          }}
        >
          {imports.another}
        </Button>
        {(!undo || (undo.kept ?? 0) > 0) && (
          <Link href={leadsHref(id ? { operation: id } : {})} className={css.goLink}>
            {imports.show}
          </Link>
        )}
      </div>
    </>
  )
}
