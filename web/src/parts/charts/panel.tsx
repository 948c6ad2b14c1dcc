// One chart, or the same numbers as a table.
import { Table2 } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useId } from 'react'
import { Link } from 'wouter'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/small.tsx'
import { words } from '../../words/index.ts'
import { type Direction, roomFor } from './chart-size.ts'
import css from './panel.module.css'
import type { Row } from './rows.ts'

const Bars = lazy(() => import('./bars.tsx'))

interface Props {
  title: string
  note: ReactNode
  /** Undefined until the numbers are there. */
  rows: readonly Row[] | undefined
  /** The columns of the table: the label, the number, and `more` of each row. */
  head: readonly string[]
  direction: Direction
  /** How many rows there will be, as far as it is known before. */
  expected?: number
  formatAxis: (value: number) => string
  error: Error | null
  onRetry: () => void
  isTable: boolean
  onTable: (isTable: boolean) => void
  /** In place of the chart, when there is nothing that it could show. */
  instead?: ReactNode
}

export function Panel(props: Props) {
  const { title, note, rows, head, direction, formatAxis, error, onRetry } = props
  const { isTable, onTable, instead, expected = 1 } = props
  const height = roomFor(rows?.length ?? expected, direction)
  const id = useId()
  return (
    <section className={css.panel} aria-labelledby={id}>
      <header className={css.header}>
        <h2 id={id}>{title}</h2>
        {!instead && (
          <Button
            look="icon"
            aria-label={words.overview.asTable(title)}
            title={words.overview.asTable(title)}
            aria-pressed={isTable}
            className={css.toggle ?? ''}
            onClick={() => onTable(!isTable)}
          >
            <Table2 size={15} />
          </Button>
        )}
      </header>
      <div className={css.note}>{note}</div>
      {instead ? (
        <div className={css.instead}>{instead}</div>
      ) : error && !rows ? (
        <div className={css.instead}>
          <p>{words.overview.failed}</p>
          <p>{error.message}</p>
          <Button onClick={onRetry}>{words.actions.retry}</Button>
        </div>
      ) : !rows ? (
        <Waiting height={height} />
      ) : rows.length === 0 ? (
        <div className={css.instead}>{words.overview.nothing}</div>
      ) : isTable ? (
        <Numbers title={title} rows={rows} head={head} />
      ) : (
        <figure aria-labelledby={id} className={css.chart} style={{ minHeight: height }}>
          <Suspense fallback={<Waiting height={height} />}>
            <Bars rows={rows} direction={direction} formatAxis={formatAxis} />
          </Suspense>
        </figure>
      )}
      {!instead && rows?.some(isPartial) && <p className={css.partial}>{words.money.partial}</p>}
    </section>
  )
}

/** One of its sums has a star. */
const isPartial = ({ text, more = [] }: Row) =>
  [text, ...more.map((one) => one.text)].some((one) => one.endsWith('*'))

const waitingBars = ['90%', '70%', '55%', '40%', '20%']

function Waiting({ height }: { height: number }) {
  return (
    <div className={css.waiting} style={{ height }} aria-hidden="true">
      {waitingBars.map((width) => (
        <Skeleton key={width} width={width} />
      ))}
    </div>
  )
}

/** Values in several currencies may take several lines. */
const linesOf = (text: string) => (text.includes(' + ') ? css.several : undefined)

function Numbers({ title, rows, head }: Pick<Props, 'title' | 'head'> & { rows: readonly Row[] }) {
  return (
    <div className={css.scroller}>
      <table className={css.table}>
        <caption className="hidden">{title}</caption>
        <thead>
          <tr>
            {head.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, label, text, more = [], href }) => (
            <tr key={id}>
              <th scope="row" dir="auto">
                {label}
              </th>
              <td className={linesOf(text)}>
                <Link href={href} className={css.link}>
                  {text}
                </Link>
              </td>
              {more.map(({ text, href }, at) => (
                <td key={head[at + 2]} className={linesOf(text)}>
                  {href ? (
                    <Link href={href} className={css.link}>
                      {text}
                    </Link>
                  ) : (
                    text
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
