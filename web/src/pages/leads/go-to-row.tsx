import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { formatNumber } from '../../ui/format.ts'
import { submitting } from '../../ui/submitting.ts'
import { words } from '../../words/index.ts'
import css from './tools.module.css'

export default function GoToRow({
  total,
  onGo,
  onClose,
}: {
  total: number
  onGo: (row: number) => void
  onClose: () => void
}) {
  const [text, setText] = useState('')
  const row = Number(text.replaceAll(/\D/g, ''))
  const isValid = row >= 1 && row <= total
  return (
    <Dialog title={words.grid.goTo} onClose={onClose}>
      <form
        onSubmit={submitting(() => {
          if (isValid) onGo(row - 1)
        })}
      >
        <div className={css.row}>
          <input
            aria-label={words.grid.goTo}
            inputMode="numeric"
            autoComplete="off"
            value={text}
            autoFocus
            onChange={(event) => setText(event.target.value)}
          />
          <Button type="submit" look="go" disabled={!isValid}>
            {words.actions.open}
          </Button>
        </div>
        <p className={css.hint}>{words.grid.goToHelp(formatNumber(total))}</p>
      </form>
    </Dialog>
  )
}
