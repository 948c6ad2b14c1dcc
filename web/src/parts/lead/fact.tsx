// A field of the lead page: its value, and an editor in its place.
import { Pencil } from 'lucide-react'
import { type MouseEvent, useRef, useState } from 'react'
import { type Lead, nameOf } from '../../api/lead.ts'
import type { Records } from '../../api/records.ts'
import FieldEditor from '../../kinds/editor.tsx'
import { editOf } from '../../kinds/edits.tsx'
import type { Field } from '../../kinds/field.ts'
import { isEmpty } from '../../kinds/kinds.tsx'
import { toggleFlag } from '../../kinds/save.ts'
import { Value } from '../../kinds/value.tsx'
import { classes } from '../../ui/classes.ts'
import { Muted } from '../../ui/small.tsx'
import { words } from '../../words/index.ts'
import css from './lead.module.css'

interface Props {
  field: Field
  lead: Lead
  records: Records
  mayWrite: boolean
  /** The name at the top: a heading of this rank, without a label. */
  heading?: 'h1' | 'h2'
}

export function Fact({ field, lead, records, mayWrite, heading: Heading }: Props) {
  const [isEditing, setEditing] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const isEditable = mayWrite && field.isEditable
  const edit = () => {
    if (!isEditable) return
    if (field.kind === 'flag') toggleFlag(field, lead)
    else setEditing(true)
  }
  const onClick = (event: MouseEvent) => {
    if (event.target instanceof Element && event.target.closest('a, button, input, [role=dialog]'))
      return
    if (window.getSelection()?.isCollapsed === false) return
    edit()
  }
  const isInline = isEditing && !isPicked(field)
  const content = (
    // biome-ignore lint/a11y/noStaticElementInteractions: a click is a shortcut for the button inside
    // biome-ignore lint/a11y/useKeyWithClickEvents: the button inside is for the keyboard
    <div ref={place} className={classes(css.value, isEditable && css.editable)} onClick={onClick}>
      {isEditing && (
        <FieldEditor
          field={field}
          lead={lead}
          records={records}
          anchor={place.current}
          onDone={() => {
            setEditing(false)
            button.current?.focus({ preventScroll: true })
          }}
        />
      )}
      {!isInline &&
        (Heading ? (
          <Heading title={nameOf(lead)}>{nameOf(lead) || words.leads.unnamed}</Heading>
        ) : (
          <Shown field={field} lead={lead} records={records} isEditable={isEditable} />
        ))}
      {isEditable && !isInline && (
        <button
          ref={button}
          type="button"
          className={css.pencil}
          aria-label={words.lead.edit(field.label)}
          onClick={edit}
        >
          <Pencil size={12} />
        </button>
      )}
    </div>
  )
  if (Heading) return content
  return (
    <div className={css.fact}>
      <dt>{field.label}</dt>
      <dd>{content}</dd>
    </div>
  )
}

const isPicked = ({ kind }: Field) => ['picking', 'finding a lead'].includes(editOf(kind).by)

function Shown({
  field,
  lead,
  records,
  isEditable,
}: {
  field: Field
  lead: Lead
  records: Records
  isEditable: boolean
}) {
  const value = field.read(lead)
  if (isEmpty(value)) return <Muted>{isEditable ? words.lead.add : '–'}</Muted>
  if (field.kind === 'flag') return <>{value ? words.fields.yes : words.fields.no}</>
  if (field.kind === 'long') return <span className={css.long}>{String(value)}</span>
  const likely = field.id === 'contract_value' ? likelihood(lead, records) : undefined
  const isMany = Array.isArray(value) && value.length > 20
  return (
    <span className={classes(css.shown, isMany && css.many)} tabIndex={isMany ? 0 : undefined}>
      <Value field={field} lead={lead} records={records} withLinks />
      {likely !== undefined && <Muted>· {words.fields.likely(likely)}</Muted>}
    </span>
  )
}

function likelihood(lead: Lead, records: Records): number | undefined {
  // What is won or lost is no longer likely.
  const rates = lead.status.map(({ id }) => {
    const status = records.status.find((status) => status.id === id)
    return status && !status.type ? status.success_rate : 0
  })
  const best = Math.max(0, ...rates)
  return best > 0 && best < 100 ? best : undefined
}
