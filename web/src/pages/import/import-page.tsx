// Importing leads, step by step: the file, what its columns become, a check of its rows, the import.
import { Check } from 'lucide-react'
import { Link, useSearch } from 'wouter'
import { useMayWrite } from '../../api/session.ts'
import { PageFrame } from '../../frame/page-frame.tsx'
import { useImporting } from '../../parts/bulk/importing.ts'
import button from '../../ui/button.module.css'
import { classes } from '../../ui/classes.ts'
import { Empty } from '../../ui/empty.tsx'
import { imports } from '../../words/imports.ts'
import { CheckStep } from './check-step.tsx'
import { ColumnsStep } from './columns-step.tsx'
import { FileStep } from './file-step.tsx'
import css from './import.module.css'
import { ProgressPanel } from './progress-panel.tsx'
import { ResultStep } from './result-step.tsx'
import { addressOf, type Step, stepOf, steps } from './steps.ts'
import { ValuesStep } from './values-step.tsx'
import { useWizard } from './wizard.ts'

export default function ImportPage() {
  const mayWrite = useMayWrite()
  const importing = useImporting()
  const wizard = useWizard()
  const step = stepOf(useSearch(), wizard)
  return (
    <PageFrame title={imports.title}>
      {mayWrite ? (
        <div className={css.page}>
          <Steps step={step} hasValues={wizard.unknown.length > 0} />
          {importing ? (
            <ProgressPanel importing={importing} />
          ) : step === 'file' ? (
            <FileStep />
          ) : step === 'columns' ? (
            <ColumnsStep />
          ) : step === 'values' ? (
            <ValuesStep />
          ) : step === 'check' ? (
            <CheckStep />
          ) : (
            <ResultStep />
          )}
        </div>
      ) : (
        <Empty title={imports.readOnly} text={imports.readOnlyText}>
          <Link href="/leads" className={classes(button.button, button.plain)}>
            {imports.toLeads}
          </Link>
        </Empty>
      )}
    </PageFrame>
  )
}

/** Values are asked for only where the workspace does not know them. */
function Steps({ step, hasValues }: { step: Step; hasValues: boolean }) {
  const shown = steps.filter((name) => hasValues || name !== 'values')
  const at = shown.indexOf(step)
  return (
    <ol className={css.steps}>
      {shown.map((name, index) => (
        <li key={name} aria-current={index === at ? 'step' : undefined}>
          {index < at ? (
            <Link href={addressOf(name)}>
              <Check size={13} aria-hidden="true" /> {imports.steps[name]}
            </Link>
          ) : (
            <span>{imports.steps[name]}</span>
          )}
        </li>
      ))}
    </ol>
  )
}
