// Leads as CSV or NDJSON, batch by batch: in the form that an import reads.

import { leadFields, transferFields } from '@rapport/contract/leads/fields'
import type { LeadFilter } from '@rapport/contract/leads/filter'
import { toldRelations } from '@rapport/contract/leads/relations'
import type { Format } from '@rapport/contract/transfer'
import type { Pool } from '../../../db/driver.ts'
import { leadCondition } from '../../leads/leads.filter.ts'
import { orderByFields, selectAllIds } from '../../leads/leads.list.sql.ts'
import { selectLists } from '../../lists/lists.sql.ts'
import { type AttributeRow, selectAttributes } from '../../references/attributes.ts'
import { selectStatuses } from '../../status/status.sql.ts'
import { csvLine } from '../file/csv.ts'
import { joinNames, statusMark } from '../file/names.ts'
import { type ExportedLead, selectForExport } from './export.sql.ts'

const batch = 1000

export interface Export {
  /** How many leads the filter selects. */
  total: number
  chunks(onProgress?: (done: number) => void): AsyncGenerator<string>
}

export async function exportLeads(
  pool: Pool,
  space: string,
  filter: LeadFilter,
  format: Format,
): Promise<Export> {
  const condition = await leadCondition(pool, space, filter, ['filter'])
  const order = orderByFields([{ field: 'created_at' }])
  const ids = await selectAllIds(pool, { space, condition, order })
  const writer = await createWriter(pool, space)

  async function* chunks(onProgress?: (done: number) => void): AsyncGenerator<string> {
    if (format === 'csv') yield `${csvLine(writer.header)}\r\n`
    let done = 0
    for (const some of ids.batches(batch)) {
      const leads = await selectForExport(pool, space, some)
      const lines = leads.map((lead) =>
        format === 'csv'
          ? `${csvLine(writer.cells(lead))}\r\n`
          : `${JSON.stringify(writer.object(lead))}\n`,
      )
      if (lines.length > 0) yield lines.join('')
      done += some.length
      onProgress?.(done)
    }
  }
  return { total: ids.count, chunks }
}

async function createWriter(pool: Pool, space: string) {
  const [attributes, lists, statuses] = await Promise.all([
    selectAttributes(pool, space),
    selectLists(pool, space),
    selectStatuses(pool, space),
  ])
  const listName = new Map(lists.map(({ id, name }) => [id, name]))
  const shared = repeated(statuses.map(({ name }) => name))
  const namers = attributes.map((definition) => ({ definition, toName: optionNamer(definition) }))

  /** With its list, because another list may have a status of the same name. */
  const statusName = ({ name, id_list }: ExportedLead['status'][number]) => {
    if (id_list) return `${listName.get(id_list) ?? ''}${statusMark}${name}`
    return shared.has(name) ? `${statusMark.trimStart()}${name}` : name
  }
  return {
    header: [
      ...transferFields,
      ...toldRelations,
      ...attributes.map(({ slug }) => `attribute:${slug}`),
    ],
    cells(lead: ExportedLead): string[] {
      return [
        ...transferFields.map((name) =>
          leadFields[name].kind === 'json' && lead[name] !== null
            ? JSON.stringify(lead[name])
            : String(lead[name] ?? ''),
        ),
        joinNames(lead.lists.map(({ name }) => name)),
        joinNames(lead.status.map(statusName)),
        joinNames(lead.tags.map(({ name }) => name)),
        joinNames(lead.owners.map(({ email }) => email)),
        ...namers.map(({ definition, toName }) =>
          attributeCell(definition, toName(lead.attributes[definition.id])),
        ),
      ]
    },
    object({ lists, status, tags, owners, attributes: values, ...fields }: ExportedLead) {
      const named = ({ id, name }: { id: string; name: string }) => ({ id, name })
      return {
        ...fields,
        lists: lists.map(named),
        status: status.map(({ id, name, id_list }) => ({
          ...{ id, name },
          list: listName.get(id_list) ?? null,
        })),
        tags: tags.map(named),
        owners: owners.map(({ id, name, email }) => ({ id, name, email })),
        attributes: Object.fromEntries(
          namers
            .filter(({ definition }) => values[definition.id] !== undefined)
            .map(({ definition, toName }) => [definition.slug, toName(values[definition.id])]),
        ),
      }
    },
  }
}

/** Options go out by name: their ids mean nothing elsewhere. One whose name is not its own keeps its id. */
function optionNamer({ type, options }: AttributeRow): (value: unknown) => unknown {
  if (type !== 'SELECT') return (value) => value
  const shared = repeated(options.map(({ name }) => name.trim().toLowerCase()))
  const names = new Map(
    options.map(({ id, name }) => [id, shared.has(name.trim().toLowerCase()) ? id : name]),
  )
  const toName = (id: unknown) => names.get(id as string) ?? id
  return (value) => (Array.isArray(value) ? value.map(toName) : toName(value))
}

function attributeCell({ type, is_multi }: AttributeRow, value: unknown): string {
  if (value === undefined || value === null) return ''
  if (type === 'SELECT' && is_multi) return joinNames([value].flat() as string[])
  if (type !== 'LOCATION') return String(value)
  const { address, ...place } = value as { address?: string }
  const isPlain = Object.keys(place).length === 0 && address?.trim() && !address.startsWith('{')
  return isPlain ? (address as string) : JSON.stringify(value)
}

function repeated(names: string[]): Set<string> {
  const seen = new Set<string>()
  return new Set(names.filter((name) => seen.has(name) || !seen.add(name)))
}
