// What an import did, for people and programs.
import { type Column, label, moreLabel } from '../columns/column.ts'
import type { RejectedRow } from '../write/plan-batch.ts'
import type { ImportResult } from './import-leads.ts'

export function reportOf(result: ImportResult) {
  const { created, updated, skipped, rejected, companies, unmatched, mapping, survey } = result
  return {
    system: mapping.system?.name ?? null,
    total: created + updated + skipped + rejected,
    ...{ created, updated, skipped, companies, unmatched },
    duplicates: result.duplicates,
    made: { ...result.made, attributes: mapping.toMake.map(({ name }) => name) },
    unknown_values: result.unknownValues,
    lost_relations: result.lostRelations,
    columns: columnList(result.columns),
    other_lines: survey.otherLines,
    encoding: result.encoding,
    separator: result.separator,
  }
}

export interface ShownReject {
  row: number
  reason: string
}

/** Adds rejected rows to those that are shown, up to the limit. */
export function addRejects(shown: ShownReject[], rejected: RejectedRow[], most: number): void {
  for (const { row, reasons } of rejected.slice(0, most - shown.length)) {
    shown.push({ row: row.number, reason: reasons.join('; ') })
  }
}

/** The columns as people read them: header and field, null where it is ignored, and why. */
export function columnList(columns: Column[]) {
  return columns
    .toSorted((a, b) => a.index - b.index)
    .map(({ header, target, why, samples, more, type, ask }) => ({
      header,
      field: target.kind === 'ignored' ? null : label(target),
      why,
      more: more ? moreLabel(more) : null,
      samples,
      type: type ?? null,
      ask: ask ?? null,
    }))
}
