import { CSPProvider } from '@base-ui/react/csp-provider'
import { Dialog as Base } from '@base-ui/react/dialog'
import { type ReactNode, useRef, useState } from 'react'
import { classes } from './classes.ts'
import css from './dialog.module.css'

interface Props {
  title: string
  /** The title is for screen readers only. */
  isTitleHidden?: boolean
  /** For Escape and clicks elsewhere. Without it, only what is inside closes the dialog. */
  onClose?: (() => void) | undefined
  size?: 's' | 'm' | 'palette'
  /** It is read from its beginning: that is in view, not the button at the end, which would have the focus. */
  isText?: boolean
  children: ReactNode
}

export function Dialog({
  title,
  isTitleHidden,
  onClose,
  size = 's',
  isText = false,
  children,
}: Props) {
  const popup = useRef<HTMLDivElement>(null)
  // As it is before something inside takes the focus, as the search field of the palette does.
  const [before] = useState(() => document.activeElement)
  const back = () => {
    // Nothing had it. The first thing on the page that can have it is the link that skips the navigation.
    if (before === document.body) return
    return before instanceof HTMLElement && before.isConnected ? before : true
  }
  return (
    <CSPProvider disableStyleElements>
      <Base.Root open onOpenChange={(open) => open || onClose?.()}>
        <Base.Portal>
          <Base.Backdrop className={css.backdrop} forceRender />
          <Base.Popup
            ref={popup}
            className={classes(css.popup, css[size])}
            {...(isText && { initialFocus: popup })}
            finalFocus={back}
          >
            <Base.Title className={isTitleHidden ? 'hidden' : css.title}>{title}</Base.Title>
            {children}
          </Base.Popup>
        </Base.Portal>
      </Base.Root>
    </CSPProvider>
  )
}

/** The row of buttons at the end. */
export function DialogActions({ children, aside }: { children: ReactNode; aside?: ReactNode }) {
  return (
    <div className={css.actions}>
      <div className={css.aside}>{aside}</div>
      {children}
    </div>
  )
}
