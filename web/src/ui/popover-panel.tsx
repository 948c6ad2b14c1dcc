import { CSPProvider } from '@base-ui/react/csp-provider'
import { Popover as Base } from '@base-ui/react/popover'
import type { ReactNode } from 'react'
import { classes } from './classes.ts'
import css from './popover.module.css'

export interface PanelProps {
  label: string
  align?: 'start' | 'end' | 'center'
  side?: 'bottom' | 'top' | 'right' | 'left'
  wide?: boolean
  /** Focus goes back to the trigger, unless the caller sees to it. */
  keepsFocus?: boolean
  /** Where it goes instead, from the trigger. */
  nextFocus?: ((trigger: HTMLElement) => HTMLElement | undefined) | undefined
  children: ReactNode
}

interface Props extends PanelProps {
  anchor: Element | null
  trigger: HTMLElement | null
  onClose: () => void
}

export default function PopoverPanel({
  anchor,
  trigger,
  onClose,
  label,
  align = 'start',
  side = 'bottom',
  wide,
  keepsFocus,
  nextFocus,
  children,
}: Props) {
  return (
    <CSPProvider disableStyleElements>
      <Base.Root
        open
        onOpenChange={(open, { event }) => {
          if (open) return
          // A click on the trigger closes it by itself. Escape does not, before the focus has gone to the panel.
          const isClick = !(event instanceof KeyboardEvent)
          const isOnTrigger = event.target instanceof Node && trigger?.contains(event.target)
          if (!(isClick && isOnTrigger)) onClose()
        }}
      >
        <Base.Portal>
          <Base.Positioner
            anchor={anchor}
            align={align}
            side={side}
            sideOffset={4}
            collisionPadding={8}
            className={css.positioner}
          >
            <Base.Popup
              className={classes(css.popup, wide && css.wide)}
              aria-label={label}
              finalFocus={keepsFocus ? false : () => (trigger && nextFocus?.(trigger)) ?? trigger}
            >
              {children}
            </Base.Popup>
          </Base.Positioner>
        </Base.Portal>
      </Base.Root>
    </CSPProvider>
  )
}
