// What is shown once: a key, a link.
import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { copyText } from '../../ui/copy-text.ts'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { words } from '../../words/index.ts'
import { settings } from '../../words/settings.ts'
import css from './settings.module.css'

export interface SecretText {
  title: string
  text: string
  secret: string
  /** Nobody has to copy it now: it goes by mail, or can be seen again. */
  isOptional?: boolean
  /** Code that uses it. */
  snippets?: { label: string; code: string }[]
}

export function Secret({
  title,
  text,
  secret,
  isOptional,
  snippets = [],
  onClose,
}: SecretText & { onClose: () => void }) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    await copyText(secret)
    setCopied(true)
  }
  return (
    <Dialog title={title} onClose={isOptional || isCopied ? onClose : undefined}>
      <p>{text}</p>
      <div className={css.secret}>
        <textarea
          className={css.input}
          aria-label={title}
          readOnly
          rows={2}
          value={secret}
          onFocus={({ target }) => target.select()}
        />
        <Button look="go" onClick={() => void copy()}>
          {isCopied ? <Check size={14} /> : <Copy size={14} />}
          {isCopied ? settings.copied : settings.copy}
        </Button>
      </div>
      {snippets.map(({ label, code }) => (
        <figure key={label} className={css.snippet}>
          <figcaption>{label}</figcaption>
          <pre className={css.answer}>{code}</pre>
        </figure>
      ))}
      <DialogActions aside={isOptional ? undefined : settings.once}>
        <Button onClick={onClose}>{words.actions.done}</Button>
      </DialogActions>
    </Dialog>
  )
}
