// Statuses and options that rows name and the workspace does not have.
import { maxUnknownValues } from '@rapport/contract/transfer.values'
import { nearest } from '../../../../nearest.ts'
import { Pace } from '../../../../pace.ts'
import type { AttributeRow } from '../../../../references/attributes.ts'
import { type Column, label } from '../columns/column.ts'
import { loose } from '../values/value-rules.ts'

export interface UnknownValue {
  column: Column
  value: string
  rows: number
}

export class UnknownValues {
  readonly #found = new Map<string, UnknownValue>()

  add(column: Column, value: string, rows = 1): void {
    const key = `${column.index} ${loose(value)}`
    const known = this.#found.get(key)
    if (known) known.rows += rows
    else if (this.#found.size < maxUnknownValues) this.#found.set(key, { column, value, rows })
  }

  get all(): UnknownValue[] {
    return [...this.#found.values()]
  }

  /** These and those of another batch. */
  with(others: UnknownValues): UnknownValues {
    const sum = new UnknownValues()
    for (const { column, value, rows } of [...this.all, ...others.all]) sum.add(column, value, rows)
    return sum
  }
}

interface Candidate {
  id: string
  name: string
}

/** Longer names are not compared. */
const maxCompared = 60

/** The values with the status or option that was probably meant. */
export function withNearest(
  unknown: UnknownValue[],
  statuses: Candidate[],
  attributes: AttributeRow[],
) {
  const candidates = ({ target }: Column): Candidate[] =>
    target.kind === 'attribute'
      ? (attributes.find(({ id }) => id === target.id)?.options ?? [])
      : statuses
  return new Pace().map(unknown, ({ column, value, rows }) => ({
    ...{ column: column.index + 1, header: column.header, field: label(column.target) },
    ...{ value, rows, nearest: nearestOf(value, candidates(column)) ?? null },
  }))
}

function nearestOf(value: string, candidates: Candidate[]): Candidate | undefined {
  if (value.length > maxCompared) return undefined
  const byName = new Map(
    candidates
      .filter(({ name }) => name.length <= maxCompared)
      .toReversed()
      .map(({ id, name }) => [loose(name), { id, name }]),
  )
  const found = nearest(loose(value), byName.keys())
  return found === undefined ? undefined : byName.get(found)
}
