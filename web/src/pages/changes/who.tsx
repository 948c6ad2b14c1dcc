// Who did what: how many records each person has changed, by kind. Each number shows its changes.
import { changeKinds } from '@rapport/contract/changes.values'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { type ChangesState, changesHref } from '../../addresses/changes.ts'
import type { Records } from '../../api/records.ts'
import { formatExact, formatNumber } from '../../ui/format.ts'
import { changes } from '../../words/changes.ts'
import css from './changes.module.css'
import { personOf } from './describe.ts'
import { type Summary, summaryQuery } from './queries.ts'

type Row = Summary['members'][number]

const totalOf = (row: Row) => changeKinds.reduce((sum, kind) => sum + row[kind], 0)

export function Who({ state, records }: { state: ChangesState; records: Records }) {
  const { data } = useQuery(summaryQuery(state.period))
  const rows = (data?.members ?? []).toSorted((a, b) => totalOf(b) - totalOf(a))
  if (rows.length === 0) return null
  const kinds = changeKinds.filter((kind) => rows.some((row) => row[kind] > 0))
  return (
    <section className={css.who} aria-label={changes.who}>
      <h2>{changes.who}</h2>
      <p className="soft">{changes.whoHelp}</p>
      <div className={css.scroll}>
        <table>
          <thead>
            <tr>
              <th scope="col">{changes.member}</th>
              {kinds.map((kind) => (
                <th scope="col" key={kind} className={css.number}>
                  {changes.kinds[kind]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.member}>
                <th scope="row">{personOf(row.member, records)}</th>
                {kinds.map((kind) => (
                  <td key={kind} className={css.number}>
                    {row[kind] > 0 && row.member ? (
                      <Link
                        href={changesHref({ ...state, member: row.member, kind })}
                        className={css.link}
                        aria-label={`${personOf(row.member, records)}, ${changes.kinds[kind]}: ${formatNumber(row[kind])}`}
                      >
                        {formatNumber(row[kind])}
                      </Link>
                    ) : (
                      formatNumber(row[kind])
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {data?.complete_since && (
        <p className="soft">{changes.completeSince(formatExact(data.complete_since))}</p>
      )}
    </section>
  )
}
