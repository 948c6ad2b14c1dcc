// Leads side by side. Where they differ, somebody chooses whose value stays, by a click or by the arrow keys.
import { ExternalLink } from 'lucide-react'
import { type CSSProperties, type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import { type Lead, nameOf } from '../../api/lead.ts'
import type { Records } from '../../api/records.ts'
import { Value } from '../../kinds/value.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { classes } from '../../ui/classes.ts'
import { formatDay } from '../../ui/format.ts'
import { duplicates as said } from '../../words/duplicates.ts'
import { words } from '../../words/index.ts'
import { type Choices, hasValue, isCombined, type Row, sourceOf } from './choose.ts'
import css from './duplicates.module.css'

interface Props {
  leads: readonly Lead[]
  rows: readonly Row[]
  records: Records
  choices: Choices
  mayChoose: boolean
  onChoose: (choices: Choices) => void
}

const titleOf = (lead: Lead) => nameOf(lead) || words.leads.unnamed

export function Compare({ leads, rows, records, choices, mayChoose, onChoose }: Props) {
  const table = useRef<HTMLTableElement>(null)
  const shown = leads.map(({ id }) => id).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: when other leads are shown
  useEffect(() => {
    const kept = table.current?.querySelector<HTMLElement>('input:checked')
    kept?.focus({ preventScroll: true })
    kept?.closest('th')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [shown])
  const onKeyDown = (event: KeyboardEvent<HTMLTableElement>) => {
    const input = event.target
    if (!(input instanceof HTMLInputElement) || !event.key.startsWith('Arrow')) return
    event.preventDefault()
    const next =
      event.key === 'ArrowLeft' || event.key === 'ArrowRight'
        ? inRow(input, event.key === 'ArrowRight' ? 1 : -1)
        : inColumn(input, event.key === 'ArrowDown' ? 1 : -1)
    next?.focus()
    if (next && !next.checked) next.click()
  }
  return (
    <table
      ref={table}
      className={css.compare}
      style={{ '--leads': leads.length } as CSSProperties}
      aria-label={said.compare}
      onKeyDown={onKeyDown}
    >
      <thead>
        <tr>
          <th scope="col" className={css.label}>
            <span className="hidden">{said.field}</span>
          </th>
          {leads.map((lead) => {
            const name = titleOf(lead)
            const isKept = lead.id === choices.survivor
            return (
              <th key={lead.id} scope="col" className={isKept ? css.kept : undefined}>
                <div className={css.name}>
                  <Avatar name={name} isCompany={lead.is_company} />
                  <span dir="auto" title={name}>
                    {name}
                  </span>
                  <a
                    href={`/lead/${lead.id}`}
                    target="_blank"
                    rel="noreferrer"
                    aria-label={said.open(name)}
                  >
                    <ExternalLink size={13} />
                  </a>
                </div>
                <div className={css.added}>{said.added(formatDay(lead.created_at))}</div>
                {mayChoose && (
                  <label className={css.keep}>
                    <input
                      type="radio"
                      name="survivor"
                      aria-label={said.keepThis(name)}
                      checked={isKept}
                      onChange={() => onChoose({ ...choices, survivor: lead.id })}
                    />
                    {said.keep}
                  </label>
                )}
              </th>
            )
          })}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ field, differs }) => {
          const source = sourceOf(choices, field, leads)
          return (
            <tr key={field.id} data-differs={differs || undefined}>
              <th scope="row" className={css.label}>
                {field.label}
                {isCombined(field) && <span className="note"> {said.combined}</span>}
              </th>
              {leads.map((lead) => {
                const value: ReactNode = (
                  <Value field={field} lead={lead} records={records} withLinks={false} />
                )
                if (!differs || !mayChoose) return <td key={lead.id}>{value}</td>
                return (
                  <td key={lead.id} className={classes(lead.id === source && css.chosen)}>
                    <label className={css.choice}>
                      <input
                        type="radio"
                        name={field.id}
                        checked={lead.id === source}
                        onChange={() =>
                          onChoose({ ...choices, from: { ...choices.from, [field.id]: lead.id } })
                        }
                      />
                      <span className={css.value}>
                        {hasValue(field, lead) ? value : <i className="soft">{said.empty}</i>}
                      </span>
                    </label>
                  </td>
                )
              })}
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

const radios = (scope: ParentNode) => [
  ...scope.querySelectorAll<HTMLInputElement>('input[type=radio]'),
]

function inRow(input: HTMLInputElement, by: number): HTMLInputElement | undefined {
  const all = radios(input.closest('tr') ?? document)
  return all[all.indexOf(input) + by]
}

/** The choice of the row below or above. */
function inColumn(input: HTMLInputElement, by: number): HTMLInputElement | undefined {
  const rows = [...(input.closest('table')?.querySelectorAll('tr') ?? [])]
    .map(radios)
    .filter((row) => row.length > 0)
  const at = rows.findIndex((row) => row.includes(input))
  return rows[at + by]?.find(({ checked }) => checked)
}
