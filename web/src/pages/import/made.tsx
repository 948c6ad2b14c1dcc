// What an import creates besides leads, and what it omits.
import { formatNumber } from '../../ui/format.ts'
import { imports } from '../../words/imports.ts'
import { labelOf } from './column-target.tsx'
import css from './import.module.css'
import type { ImportResult } from './send-file.ts'

const kinds = ['lists', 'status', 'tags', 'attributes'] as const
const shownNames = 8
const shownReasons = 12
const shownRows = 6

type Told = Pick<ImportResult, 'made' | 'unknown_owners' | 'companies'>

export function Made({ made, unknown_owners, companies }: Told) {
  const names = (all: readonly string[]) =>
    [
      all.slice(0, shownNames).map(imports.inList).join(', '),
      all.length > shownNames && imports.andMore(all.length - shownNames),
    ]
      .filter(Boolean)
      .join(' ')
  const lines = [
    ...(companies > 0 ? [imports.companiesToo(companies)] : []),
    ...kinds
      .filter((kind) => made[kind].length > 0)
      .map((kind) => imports.makes(imports.madeKinds[kind], names(made[kind]))),
    ...(unknown_owners.length > 0
      ? [imports.strangers(names(unknown_owners.map(({ owner }) => owner)))]
      : []),
  ]
  if (lines.length === 0) return null
  return (
    <ul className={css.lines}>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  )
}

/** Fields as the page calls them. */
const withLabels = (reason: string) =>
  reason.replaceAll(/(?<=^|; )[a-z_]+(?=: )/g, (name) => labelOf(name, []))

/** The first reasons, with the rows that have them. */
export function Reasons({
  rejected,
  rejected_total,
}: Pick<ImportResult, 'rejected' | 'rejected_total'>) {
  if (rejected.length === 0) return null
  const byReason = new Map<string, number[]>()
  for (const { row, reason } of rejected) {
    byReason.set(reason, [...(byReason.get(reason) ?? []), row])
  }
  const shown = [...byReason].slice(0, shownReasons)
  const told = shown.reduce((sum, [, rows]) => sum + rows.length, 0)
  return (
    <section className={css.section}>
      <h2>{imports.reasons}</h2>
      <ul className={css.reasons}>
        {shown.map(([reason, rows]) => (
          <li key={reason}>
            <span>{withLabels(reason)}</span>
            <span className="soft">
              {imports.reasonRows(
                rows.slice(0, shownRows).map(formatNumber).join(', '),
                rows.length,
              )}
              {rows.length > shownRows && ` ${imports.andMore(rows.length - shownRows)}`}
            </span>
          </li>
        ))}
        {rejected_total > told && <li>{imports.andMore(rejected_total - told)}</li>}
      </ul>
    </section>
  )
}
