// One of many: a button with what is chosen, and a list to search in.
import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { words } from '../words/index.ts'
import { classes } from './classes.ts'
import { type Option, Options } from './options.tsx'
import css from './pick.module.css'
import { Popover } from './popover.tsx'

interface Props {
  label: string
  options: Option[]
  chosen: string
  onPick: (id: string) => void
  /** What is chosen, where it is not among the options. */
  shown?: string
  isQuiet?: boolean
}

export function Pick({ label, options, chosen, onPick, shown, isQuiet }: Props) {
  const [isOpen, setOpen] = useState(false)
  const text = shown ?? options.find(({ id }) => id === chosen)?.label ?? ''
  return (
    <Popover
      label={label}
      wide
      open={isOpen}
      onOpenChange={setOpen}
      trigger={
        <button
          type="button"
          className={classes(css.pick, isQuiet && css.quiet)}
          aria-label={`${label}: ${text}`}
        >
          <span>{text}</span>
          <ChevronDown size={14} aria-hidden="true" />
        </button>
      }
    >
      <Options
        label={label}
        placeholder={words.filter.find}
        options={options}
        chosen={new Set([chosen])}
        onPick={(id) => {
          setOpen(false)
          onPick(id)
        }}
      />
    </Popover>
  )
}
