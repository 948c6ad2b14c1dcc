// What is shown once: a key, a link.
import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { copyText } from '../../ui/copy-text.ts'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Select } from '../../ui/select.tsx'
import { words } from '../../words/index.ts'
import { settings } from '../../words/settings.ts'
import css from './settings.module.css'

export interface SecretText {
  title: string
  text: string
  secret: string
  /** Nobody has to copy it now: it goes by mail, or can be seen again. */
  isOptional?: boolean
  /** Texts that contain it, instead of the secret alone. The first is chosen. */
  choices?: {
    label: string
    options: readonly (readonly [id: string, label: string])[]
    texts: Record<string, string>
  }
  /** Code that uses it. */
  snippets?: { label: string; code: string }[]
}

export function Secret({
  title,
  text,
  secret,
  isOptional,
  choices,
  snippets = [],
  onClose,
}: SecretText & { onClose: () => void }) {
  const [choice, setChoice] = useState(choices?.options[0]?.[0] ?? '')
  const [copied, setCopied] = useState<string>()
  const shown = choices?.texts[choice] ?? secret
  const isCopied = copied === shown
  const copy = async () => {
    await copyText(shown)
    setCopied(shown)
  }
  const button = (
    <Button look="go" onClick={() => void copy()}>
      {isCopied ? <Check size={14} /> : <Copy size={14} />}
      {isCopied ? settings.copied : settings.copy}
    </Button>
  )
  return (
    <Dialog title={title} onClose={isOptional || copied !== undefined ? onClose : undefined}>
      <p>{text}</p>
      <div className={classes(css.secret, choices && css.choices)}>
        {choices && (
          <div className={css.choice}>
            <Select
              label={choices.label}
              options={choices.options}
              value={choice}
              onValue={setChoice}
            />
          </div>
        )}
        {choices && button}
        <textarea
          className={css.input}
          aria-label={title}
          readOnly
          rows={Math.max(2, shown.split('\n').length)}
          value={shown}
          onFocus={({ target }) => target.select()}
        />
        {!choices && button}
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
