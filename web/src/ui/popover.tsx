// What opens next to something: a small panel, closed by Escape or a click elsewhere. What positions it is
// loaded after the page is there, because the first rows need none of it.
import { cloneElement, lazy, type ReactElement, Suspense, useState } from 'react'
import { useEarlyKeys } from './early-keys.ts'
import type { PanelProps } from './popover-panel.tsx'

const Panel = lazy(() => import('./popover-panel.tsx'))

interface Props extends PanelProps {
  /** The button that opens it. Without one, `open` and `anchor` say when and where. */
  trigger?: ReactElement<Record<string, unknown>>
  anchor?: Element | null
  open?: boolean
  onOpenChange?: (open: boolean) => void
  /** What is inside is a menu. */
  isMenu?: boolean
}

export function Popover({ trigger, anchor, open, onOpenChange, isMenu, ...rest }: Props) {
  const [isOpen, setOpen] = useState(false)
  const [button, setButton] = useState<HTMLElement | null>(null)
  const isShown = open ?? isOpen
  useEarlyKeys(isShown && !isMenu)
  const set = (next: boolean) => {
    setOpen(next)
    onOpenChange?.(next)
  }
  return (
    <>
      {trigger &&
        cloneElement(trigger, {
          ref: setButton,
          'aria-haspopup': isMenu ? 'menu' : 'dialog',
          'aria-expanded': isShown,
          'data-popup-open': isShown ? '' : undefined,
          onClick: () => set(!isShown),
        })}
      {isShown && (
        <Suspense fallback={null}>
          <Panel {...rest} anchor={anchor ?? button} trigger={button} onClose={() => set(false)} />
        </Suspense>
      )}
    </>
  )
}
