// Starting the import: from the beginning, where it was interrupted, or again.
import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { formatAgo } from '../../ui/format.ts'
import { Refusal } from '../../ui/small.tsx'
import { imports } from '../../words/imports.ts'
import css from './import.module.css'
import { useGoTo } from './steps.ts'
import { useUndoOf } from './undo-of.ts'
import { run, useWizard } from './wizard.ts'

/** What is known of earlier imports of the same file. */
export function useEarlier(): { stoppedAt: number | undefined; importedAt: string | undefined } {
  const { found, stoppedAt, result } = useWizard()
  const undo = useUndoOf(result)
  const before = found?.before ?? undefined
  // Also by the import of a moment ago.
  if (result && !undo) return { stoppedAt: undefined, importedAt: new Date().toISOString() }
  if (stoppedAt !== undefined) return { stoppedAt, importedAt: undefined }
  if (!before) return { stoppedAt: undefined, importedAt: undefined }
  if (before.finished_at) return { stoppedAt: undefined, importedAt: before.started_at }
  const { created, updated, skipped, rejected } = before
  return { stoppedAt: created + updated + skipped + rejected, importedAt: undefined }
}

function useStart() {
  const goTo = useGoTo()
  return async (once: 'true' | 'continue' | 'again') => {
    if (await run(once)) goTo('result')
  }
}

/** Says that the file was imported before, or lets an interrupted import continue. */
export function EarlierNotice() {
  const { stoppedAt, importedAt } = useEarlier()
  const start = useStart()
  if (stoppedAt !== undefined) {
    return (
      <div className={css.notice} role="status">
        <p>{imports.stopped(stoppedAt)}</p>
        <div className={css.noticeActions}>
          <Button look="go" onClick={() => void start('continue')}>
            {imports.goOn}
          </Button>
          <Button onClick={() => void start('again')}>{imports.fromStart}</Button>
        </div>
      </div>
    )
  }
  if (!importedAt) return null
  return (
    <div className={css.notice} role="status">
      <p>
        {imports.before(formatAgo(importedAt))} {imports.beforeText}
      </p>
    </div>
  )
}

interface Props {
  /** How many rows it is about. */
  rows: number
  isPossible: boolean
  /** The import is not what comes first here. */
  isQuiet?: boolean
  children?: ReactNode
}

export function RunActions({ rows, isPossible, isQuiet, children }: Props) {
  const { fault } = useWizard()
  const { stoppedAt, importedAt } = useEarlier()
  const start = useStart()
  return (
    <>
      <Refusal text={fault} />
      <div className={css.actions}>
        {children}
        {stoppedAt === undefined && (
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
