// What becomes of values that name a status or an option.
import type { UnknownWay } from '@rapport/contract/transfer'

export type ValueRule = { value: string } & ({ way: UnknownWay } | { way: 'use'; to: string })

export interface ValueRules {
  /** By the value, in small letters. */
  rules: Map<string, ValueRule>
  /** Of the other values that are not known. */
  unknown: UnknownWay | undefined
  /** All values of the column, unless there are many. */
  distinct: ReadonlySet<string> | undefined
  /** The list that the file names, if it is only one. */
  list: string | undefined
}

/** "Stage=Negotation=>Negotiation": the column, its value, and what becomes of it. */
export type SaidValue = [header: string, rule: ValueRule]

export const loose = (name: string) => name.trim().toLowerCase()
