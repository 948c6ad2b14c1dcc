// What is shown once: a key, a link.
import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { copyText } from '../../ui/copy-text.ts'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { words } from '../../words/index.ts'
import css from './settings.module.css'

export interface SecretText {
  title: string
  text: string
  secret: string
  /** It is not a secret, and can be seen again. */
  isPublic?: boolean
  /** Code that uses it. */
  snippet?: { label: string; code: string }
}

export function Secret({
  title,
  text,
  secret,
  isPublic,
  snippet,
  onClose,
}: SecretText & { onClose: () => void }) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    await copyText(secret)
    setCopied(true)
  }
  return (
    <Dialog title={title} onClose={isPublic || isCopied ? onClose : undefined}>
      <p>{text}</p>
      <div className={css.secret}>
        <input
          className={css.input}
          aria-label={title}
          readOnly
          value={secret}
          onFocus={(event) => event.target.select()}
        />
        <Button look="go" onClick={() => void copy()}>
          {isCopied ? <Check size={14} /> : <Copy size={14} />}
          {isCopied ? words.settings.copied : words.settings.copy}
        </Button>
      </div>
      {snippet && (
        <figure className={css.snippet}>
          <figcaption>{snippet.label}</figcaption>
          <pre className={css.answer}>{snippet.code}</pre>
        </figure>
      )}
      <DialogActions aside={isPublic ? undefined : words.settings.once}>
        <Button onClick={onClose}>{words.actions.done}</Button>
      </DialogActions>
    </Dialog>
  )
}
