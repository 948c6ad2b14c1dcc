import { formatNumber } from '../../ui/format.ts'
import { imports } from '../../words/imports.ts'
import css from './import.module.css'

interface Props {
  created: number
  updated: number
  skipped: number
  rejected: number
}

/** What becomes of the rows. */
export function Counts({ created, updated, skipped, rejected }: Props) {
  const all = [
    [imports.created, created, css.good],
    [imports.updated, updated, undefined],
    [imports.skipped, skipped, undefined],
    [imports.refused, rejected, rejected > 0 ? css.bad : undefined],
  ] as const
  return (
    <dl className={css.counts}>
      {all.map(([label, number, look]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd className={look}>{formatNumber(number)}</dd>
        </div>
      ))}
    </dl>
  )
}
