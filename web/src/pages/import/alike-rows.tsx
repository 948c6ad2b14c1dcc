// Rows that match no lead, and still look like one: what becomes of all of them, and of each.
import { type DuplicateWay, duplicateWays } from '@rapport/contract/transfer.values'
import { useQueries } from '@tanstack/react-query'
import { type KeyboardEvent, type KeyboardEventHandler, useRef } from 'react'
import { type Lead, nameOf } from '../../api/lead.ts'
import { pageSize } from '../../api/lead-pages.ts'
import { pageQuery } from '../../api/leads.ts'
import { useWindow } from '../../parts/grid/window.ts'
import { formatNumber } from '../../ui/format.ts'
import { useNarrow } from '../../ui/media.ts'
import { duplicates } from '../../words/duplicates.ts'
import css from './alike-rows.module.css'
import type { ImportResult } from './send-file.ts'
import { decideDuplicate, decideDuplicates, useWizard } from './wizard.ts'

const said = duplicates.inImport

type AlikeRow = ImportResult['duplicates']['sample'][number]

export function AlikeRows({ rows, sample }: ImportResult['duplicates']) {
  const { choices } = useWizard()
  if (rows === 0) return null
  const isOne = Object.keys(choices.duplicateRows).length === 0
  return (
    <section className={css.section} aria-label={said.rows(rows)}>
      <h2>{said.rows(rows)}</h2>
      <fieldset className={css.forAll}>
        <legend className="hidden">{said.forAll}</legend>
        {duplicateWays.map((way) => (
          <label key={way}>
            <input
              type="radio"
              name="duplicates"
              checked={isOne && choices.duplicates === way}
              onChange={() => decideDuplicates(way)}
            />
            {said.ways[way]}
          </label>
        ))}
      </fieldset>
      <List rows={sample} />
      <p className={css.soft}>
        {rows > sample.length && said.others(rows - sample.length, sample.length)} {said.keys}
      </p>
    </section>
  )
}

function List({ rows }: { rows: readonly AlikeRow[] }) {
  const { choices } = useWizard()
  const scroller = useRef<HTMLDivElement>(null)
  const rowHeight = useNarrow() ? 132 : 57
  const view = useWindow({ scroller, count: rows.length, rowHeight, headerHeight: 0 })
  const { first, end, base } = view.view
  const leadOf = useLeads(rows, first, end)
  /** Up and down go to the choice of another row, left and right choose. */
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    const item = event.currentTarget.closest('li')
    if (!by || !item) return
    event.preventDefault()
    const other = by > 0 ? item.nextElementSibling : item.previousElementSibling
    view.show(Number(item.dataset.at) + by)
    other?.querySelector<HTMLInputElement>('input:checked')?.focus({ preventScroll: true })
  }
  return (
    <div>
      <div className={css.head} aria-hidden="true">
        <span>{said.number}</span>
        <span>{said.inFile}</span>
        <span>{said.lead}</span>
        <span>{said.becomes}</span>
      </div>
      <div ref={scroller} className={css.scroller} onScroll={view.onScroll}>
        <ul className={css.space} style={{ height: view.space }} aria-label={said.list}>
          {rows.slice(first, end).map((row, index) => (
            <li
              key={row.row}
              data-at={first + index}
              className={css.row}
              style={{ top: base + (first + index) * rowHeight, height: rowHeight }}
              aria-setsize={rows.length}
              aria-posinset={first + index + 1}
            >
              <Row
                {...row}
                known={leadOf(row.lead)}
                chosen={choices.duplicateRows[row.row] ?? choices.duplicates}
                onKeyDown={onKeyDown}
              />
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}

/** The leads of the rows in view, many in one request. */
function useLeads(rows: readonly AlikeRow[], first: number, end: number) {
  const starts: number[] = []
  for (let at = first - (first % pageSize); at < end; at += pageSize) starts.push(at)
  const pages = useQueries({
    queries: starts.map((at) => {
      const leads = [...new Set(rows.slice(at, at + pageSize).map(({ lead }) => lead))]
      return pageQuery({ filter: { leads }, order: [] }, 0)
    }),
  })
  const all = new Map(pages.flatMap(({ data }) => data?.leads.map((lead) => [lead.id, lead]) ?? []))
  return (id: string) => all.get(id)
}

interface RowProps extends AlikeRow {
  /** The lead, once it is loaded. */
  known: Lead | undefined
  chosen: DuplicateWay
  onKeyDown: KeyboardEventHandler<HTMLInputElement>
}

function Row({ row, lead, values, known, chosen, onKeyDown }: RowProps) {
  const [name = '', ...others] = values
  const knownName = known && nameOf(known)
  const details = known
    ? [known.company, known.email, known.phone].filter((text) => text && text !== knownName)
    : []
  return (
    <>
      <span className={css.number}>{formatNumber(row)}</span>
      <span className={css.side}>
        <b dir="auto">{name}</b>
        <Details values={others} />
      </span>
      <span className={css.side}>
        <a href={`/lead/${lead}`} target="_blank" rel="noreferrer" dir="auto">
          {knownName || '…'}
        </a>
        <Details values={details} />
      </span>
      <fieldset className={css.ways}>
        <legend className="hidden">{said.row(formatNumber(row))}</legend>
        {duplicateWays.map((way) => (
          <label key={way}>
            <input
              type="radio"
              name={`row-${row}`}
              checked={chosen === way}
              onChange={() => decideDuplicate(row, way)}
              onKeyDown={onKeyDown}
            />
            {said.way[way]}
          </label>
        ))}
      </fieldset>
    </>
  )
}

function Details({ values }: { values: readonly (string | null)[] }) {
  const text = values.join(' · ')
  return (
    <span className="note" dir="auto" title={text}>
      {text}
    </span>
  )
}
