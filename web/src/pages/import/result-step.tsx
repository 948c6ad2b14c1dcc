// What the import did, and the rows that it refused.
import { Link } from 'wouter'
import { leadsHref } from '../../addresses/leads.ts'
import { Button } from '../../ui/button.tsx'
import { imports } from '../../words/imports.ts'
import { Counts } from './counts.tsx'
import css from './import.module.css'
import { Made, Reasons } from './made.tsx'
import { RefusedLink } from './refused-link.tsx'
import { useGoTo } from './steps.ts'
import { startOver, useWizard } from './wizard.ts'

export function ResultStep() {
  const goTo = useGoTo()
  const { result } = useWizard()
  if (!result) return null
  const { id, created, updated, companies, rejected_total } = result
  return (
    <>
      <h2 className={css.title}>{imports.done(created, updated, companies)}</h2>
      <Counts {...result} rejected={rejected_total} />
      <Made {...result} />
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
        <Link href={leadsHref(id ? { operation: id } : {})} className={css.goLink}>
          {imports.show}
        </Link>
      </div>
    </>
  )
}
