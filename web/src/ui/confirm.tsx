import type { ReactNode } from 'react'
import { words } from '../words/index.ts'
import { useAttempt } from './attempt.ts'
import { Button } from './button.tsx'
import { Dialog, DialogActions } from './dialog.tsx'

/** Asks before something that cannot be undone, or is large. It stays open, with the reason, when it is refused. */
export function Confirm({
  title,
  action,
  onConfirm,
  onClose,
  isReady = true,
  look = 'danger',
  children,
}: {
  title: string
  /** What the button says. */
  action: string
  onConfirm: () => Promise<void>
  onClose: () => void
  isReady?: boolean
  /** `go`: nothing is lost. */
  look?: 'danger' | 'go'
  children: ReactNode
}) {
  const { fault, isBusy, attempt } = useAttempt()
  return (
    <Dialog title={title} onClose={onClose}>
      <div>{children}</div>
      <DialogActions aside={fault && <span role="alert">{fault}</span>}>
        <Button onClick={onClose}>{words.actions.cancel}</Button>
        <Button
          look={look}
          disabled={isBusy || !isReady}
          onClick={() => void attempt(() => onConfirm().then(onClose))}
        >
          {action}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
