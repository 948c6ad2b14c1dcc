// Starting the import: anew, where it was interrupted, or once more.
import type { ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { formatAgo } from '../ui/format.ts'
import { words } from '../words.ts'
import css from './import.module.css'
import { useGoTo } from './steps.ts'
import { run, useWizard } from './wizard.ts'

interface Props {
  /** How many rows it is about. */
  rows: number
  isPossible: boolean
  /** The import is not what comes first here. */
  isQuiet?: boolean
  children?: ReactNode
}

export function RunActions({ rows, isPossible, isQuiet, children }: Props) {
  const goTo = useGoTo()
  const { found, fault, stoppedAt, result } = useWizard()
  const { imports } = words
  const before = found?.before
  const isOpen = before && !before.finished_at && !result
  const stopped = stoppedAt ?? (isOpen ? doneOf(before) : undefined)
  // Also by the import of a moment ago.
  const importedAt = result ? new Date().toISOString() : before?.started_at
  const start = async (once: 'true' | 'continue' | 'again') => {
    if (await run(once)) goTo('result')
  }
  return (
    <>
      {fault && (
        <p className={css.fault} role="alert">
          {fault}
        </p>
      )}
      {stopped !== undefined ? (
        <div className={css.notice} role="status">
          <p>{imports.stopped(stopped)}</p>
          <div className={css.noticeActions}>
            <Button look="go" onClick={() => void start('continue')}>
              {imports.goOn}
            </Button>
            <Button onClick={() => void start('again')}>{imports.fromStart}</Button>
          </div>
        </div>
      ) : (
        importedAt && (
          <div className={css.notice} role="status">
            <p>
              {imports.before(formatAgo(importedAt))} {imports.beforeText}
            </p>
          </div>
        )
      )}
      <div className={css.actions}>
        {children}
        {stopped === undefined && (
          <Button
            look={isQuiet ? 'quiet' : 'go'}
            disabled={!isPossible}
            onClick={() => void start(importedAt ? 'again' : 'true')}
          >
            {importedAt ? imports.again : isQuiet ? imports.runUnchecked : imports.run(rows)}
          </Button>
        )}
      </div>
    </>
  )
}

const doneOf = (counts: { created: number; updated: number; skipped: number; rejected: number }) =>
  counts.created + counts.updated + counts.skipped + counts.rejected
