import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { words } from '../../words/index.ts'
import css from './settings.module.css'

/** Adds a record by its name. What was typed stays when it is refused. */
export function NewRecord({
  label,
  onAdd,
}: {
  label: string
  onAdd: (name: string) => Promise<boolean>
}) {
  const [name, setName] = useState('')
  return (
    <form
      className={css.add}
      onSubmit={async (event) => {
        event.preventDefault()
        if (name.trim() && (await onAdd(name.trim()))) setName('')
      }}
    >
      <input
        className={css.input}
        aria-label={label}
        placeholder={label}
        autoComplete="off"
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <Button type="submit" disabled={!name.trim()}>
        <Plus size={14} /> {words.actions.add}
      </Button>
    </form>
  )
}
