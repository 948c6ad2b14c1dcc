// What a column of the file becomes: a field, an attribute, a new attribute, or nothing.
import {
  type AttributeType,
  attributeTable,
  writtenTypes,
} from '@rapport/contract/attributes.values'
import { leadFields, type TransferField, transferFields } from '@rapport/contract/leads/fields'
import { leadRelations, toldRelations } from '@rapport/contract/leads/relations'
import type { AttributeRecord } from '../../api/records.ts'
import type { Option } from '../../ui/options.tsx'
import { Pick } from '../../ui/pick.tsx'
import { imports } from '../../words/imports.ts'
import css from './import.module.css'
import type { ImportResult } from './send-file.ts'

interface Props {
  column: ImportResult['columns'][number]
  /** What the page calls the column. */
  name: string
  field: string
  attributes: readonly AttributeRecord[]
  onField: (field: string) => void
}

export function ColumnTarget({ column, name, field, attributes, onField }: Props) {
  return (
    <>
      <Pick
        label={imports.becomesOf(name)}
        options={optionsOf(attributes, column)}
        chosen={field}
        shown={labelOf(field, attributes, column.type)}
        isQuiet={field === '-'}
        onPick={onField}
      />
      {column.more && column.field === field && (
        <div className={css.moreNote}>
          {column.more.startsWith('attribute:')
            ? imports.moreInAttribute
            : imports.moreBeside(labelOf(column.more, attributes, column.type))}
        </div>
      )}
    </>
  )
}

function optionsOf(
  attributes: readonly AttributeRecord[],
  { header, type }: Props['column'],
): Option[] {
  const { groups } = imports
  // A new attribute has the name of its column. What the column looks like comes first.
  const others = writtenTypes.filter((one) => one !== (type ?? 'TEXT'))
  const made = header.trim() === '' ? [] : ['new', ...others.map((one) => `new:${one}`)]
  return [
    { id: '-', label: imports.ignored, group: groups.other },
    ...made.map((id) => ({ id, label: labelOf(id, attributes, type), group: groups.other })),
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
  if (field === 'new') return imports.newOf(attributeTable[type ?? 'TEXT'].label)
  if (field.startsWith('new:')) {
    return imports.newOf(attributeTable[field.slice(4) as AttributeType].label)
  }
  if (field === 'name') return imports.fullName
  if (field === 'notes') return imports.note
  // Of our own NDJSON: all of them in one.
  if (field === 'attributes') return imports.groups.attributes
  if (field === 'reminders') return imports.reminders
  if (field.startsWith('attribute:')) {
    const slug = field.slice('attribute:'.length)
    const known = attributes.find((attribute) => attribute.slug === slug)
    return known?.name ?? `${imports.newAttribute}: ${slug}`
  }
  const relation = toldRelations.find((name) => name === field)
  if (relation) return leadRelations[relation].label
  return leadFields[field as TransferField]?.label ?? field
}
