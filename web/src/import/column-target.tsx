// What a column of the file becomes: a field, an attribute, a new attribute, or nothing.
import type { AttributeType } from '@rapport/contract/attributes.values'
import { leadFields, type TransferField, transferFields } from '@rapport/contract/leads/fields'
import { leadRelations, toldRelations } from '@rapport/contract/leads/relations'
import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import type { AttributeRecord } from '../api/records.ts'
import { classes } from '../ui/classes.ts'
import { type Option, Options } from '../ui/options.tsx'
import { Popover } from '../ui/popover.tsx'
import { words } from '../words/index.ts'
import css from './import.module.css'
import type { ImportResult } from './send-file.ts'

interface Props {
  column: ImportResult['columns'][number]
  field: string
  attributes: readonly AttributeRecord[]
  onField: (field: string) => void
}

const { imports } = words

export function ColumnTarget({ column, field, attributes, onField }: Props) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Popover
        label={imports.becomesOf(column.header)}
        wide
        open={isOpen}
        onOpenChange={setOpen}
        trigger={
          <button
            type="button"
            className={classes(css.target, field === '-' && css.ignored)}
            // A column without a name cannot be said anything about.
            disabled={column.header === ''}
            aria-label={`${imports.becomesOf(column.header)}: ${labelOf(field, attributes, column.type)}`}
          >
            <span>{labelOf(field, attributes, column.type)}</span>
            <ChevronDown size={14} aria-hidden="true" />
          </button>
        }
      >
        <Options
          label={imports.becomesOf(column.header)}
          placeholder={words.filter.find}
          options={optionsOf(attributes, column.type)}
          chosen={new Set([field])}
          onPick={(next) => {
            setOpen(false)
            onField(next)
          }}
        />
      </Popover>
      {column.more && column.field === field && <div className={css.moreNote}>{imports.more}</div>}
    </>
  )
}

function optionsOf(attributes: readonly AttributeRecord[], type: AttributeType | null): Option[] {
  const { groups } = imports
  const found = type ?? 'TEXT'
  return [
    { id: '-', label: imports.ignored, group: groups.other },
    { id: 'new', label: imports.newOf(imports.attributeTypes[found]), group: groups.other },
    ...(found === 'TEXT'
      ? []
      : [
          {
            id: 'new:TEXT',
            label: imports.newOf(imports.attributeTypes.TEXT),
            group: groups.other,
          },
        ]),
    { id: 'notes', label: imports.note, group: groups.other },
    { id: 'name', label: imports.fullName, group: groups.fields },
    ...transferFields.map((id) => ({
      id,
      label: leadFields[id].label,
      group: groups.fields,
      also: id,
    })),
    ...toldRelations.map((id) => ({
      id,
      label: leadRelations[id].label,
      group: groups.relations,
    })),
    ...attributes.map(({ slug, name }) => ({
      id: `attribute:${slug}`,
      label: name,
      group: groups.attributes,
    })),
  ]
}

export function labelOf(
  field: string,
  attributes: readonly AttributeRecord[],
  type: AttributeType | null = null,
): string {
  if (field === '-') return imports.ignored
  if (field === 'new') return imports.newOf(imports.attributeTypes[type ?? 'TEXT'])
  if (field.startsWith('new:')) {
    return imports.newOf(imports.attributeTypes[field.slice(4) as AttributeType])
  }
  if (field === 'name') return imports.fullName
  if (field === 'notes') return imports.note
  if (field.startsWith('attribute:')) {
    const slug = field.slice('attribute:'.length)
    const known = attributes.find((attribute) => attribute.slug === slug)
    return known?.name ?? `${imports.newAttribute}: ${slug}`
  }
  const relation = toldRelations.find((name) => name === field)
  if (relation) return leadRelations[relation].label
  return leadFields[field as TransferField]?.label ?? field
}
