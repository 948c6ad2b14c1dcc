// What an import finds existing leads by: the option upsert_by.
import { matchFields } from '@rapport/contract/leads/fields'
import type { AttributeRow } from '../../../../references/attributes.ts'
import { ImportError } from '../../file/errors.ts'
import type { Mapping } from '../columns/column.ts'
import type { Key } from './plan-batch.ts'

export function chooseKey(
  by: string | undefined,
  mapping: Mapping,
  attributes: AttributeRow[],
): Key | undefined {
  if (by === undefined) return undefined
  if (by === 'id') return { kind: 'id' }
  const field = matchFields.find((name) => name === by)
  if (field) return { kind: 'field', name: field }
  const slug = by.replace(/^attribute:/, '')
  const found =
    by === 'foreign_id'
      ? (mapping.foreignId ?? columnOf('foreign_id', mapping))
      : columnOf(slug, mapping)
  if (!found) {
    const known = attributes.some((attribute) => attribute.slug === slug)
    throw new ImportError((name) =>
      by === 'foreign_id'
        ? `The file has no column with the id of another system. Map it: ${name('map', 'Header=attribute:SLUG')} and ${name('upsert_by', 'attribute:SLUG')}.`
        : known
          ? `No column is mapped to the attribute ${slug}. Map it: ${name('map', `Header=attribute:${slug}`)}.`
          : `No attribute ${slug}.`,
    )
  }
  const isSalesforce = found.slug.startsWith('salesforce_id')
  return {
    kind: 'attribute',
    id: found.id,
    variants: isSalesforce ? salesforceIds : (value) => [value],
  }
}

function columnOf(slug: string, { columns }: Mapping): { id: string; slug: string } | undefined {
  for (const { target } of columns) {
    if (target.kind === 'attribute' && target.slug === slug) return target
  }
  return undefined
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ012345'

/**
 * Reports write ids of 15 characters that differ by case, everything else the same with three more
 * that say which of them are capitals.
 */
function salesforceIds(value: string): string[] {
  if (!/^[A-Za-z0-9]{15}([A-Z0-5]{3})?$/.test(value)) return [value]
  const short = value.slice(0, 15)
  const suffix = [0, 5, 10].map((start) => {
    const bits = [...short.slice(start, start + 5)].reduce(
      (sum, letter, place) => sum + (/[A-Z]/.test(letter) ? 1 << place : 0),
      0,
    )
    return letters[bits]
  })
  return [short, `${short}${suffix.join('')}`]
}
