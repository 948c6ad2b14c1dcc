import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { submitting } from '../../ui/submitting.ts'
import { words } from '../../words/index.ts'
import css from './settings.module.css'

interface Props {
  /** Required. */
  name: string
  isSame: boolean
  onSave: () => void
  children: ReactNode
}

/** What something is called, and more about it. */
export function SaveForm({ name, isSame, onSave, children }: Props) {
  return (
    <form className={css.form} onSubmit={submitting(onSave)}>
      {children}
      <Button type="submit" look="go" disabled={!name.trim() || isSame}>
        {words.actions.save}
      </Button>
    </form>
  )
}
