// Exchange rates to the currency of the workspace, kept by hand.
import type { Currency } from '@rapport/contract/money.values'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Body, call } from '../../api/call.ts'
import { type Rate, ratesQuery } from '../../api/rates.ts'
import { useMe } from '../../api/session.ts'
import { change, readAgain } from '../../parts/records/change.ts'
import { statsQuery } from '../../pipeline/stats.ts'
import { Button } from '../../ui/button.tsx'
import { currencyChoices, currencyLabel } from '../../ui/currencies.ts'
import { Field } from '../../ui/form.tsx'
import { formatPlainDay } from '../../ui/format.ts'
import { Select } from '../../ui/select.tsx'
import { submitting } from '../../ui/submitting.ts'
import { WhenField } from '../../ui/when-input.tsx'
import { localTime } from '../../ui/zone.ts'
import { words } from '../../words/index.ts'
import { settings } from '../../words/settings.ts'
import { DeleteRecord } from './delete-record.tsx'
import { InlineInput } from './inline-input.tsx'
import { type Part, PartState } from './part-state.tsx'
import css from './settings.module.css'

const { rates: said } = settings

const key = ratesQuery.queryKey

const today = () => localTime(new Date()).slice(0, 10)

const save = (body: Body<'POST /rates'>) =>
  change<Rate>({ key, what: body.currency, work: () => call('POST /rates', { body }) })

/** The sums of all leads say which currencies they have, and which of them have no rate. */
const totalQuery = statsQuery({ group_by: 'status' })

/** Offered behind those that leads need. */
const usual: readonly string[] = ['USD', 'EUR', 'GBP']

/** A rate as typed. Undefined when it is none. */
function readRate(text: string): number | undefined {
  const rate = Number(text.trim().replace(',', '.'))
  return rate > 0 ? rate : undefined
}

function RatesPart() {
  const { currency: base } = useMe().workspace
  const query = useQuery(ratesQuery)
  if (!base) return <p className={css.hint}>{said.noBase}</p>
  const own = query.data?.filter((rate) => rate.base === base)
  return (
    <>
      <p className={css.hint}>{said.hint(base)}</p>
      <PartState query={{ ...query, data: own }} none={said.none}>
        {(rates) => (
          <ul>
            {rates.map((rate) => (
              <RateRow key={rate.id} row={rate} />
            ))}
          </ul>
        )}
      </PartState>
      <NewRate base={base} known={own ?? []} />
    </>
  )
}

function RateRow({ row: { id, base, currency, rate, date } }: { row: Rate }) {
  return (
    <li className={css.row}>
      <div className="block">
        <div>{currencyLabel(currency)}</div>
        <div className="note">{said.asOf(formatPlainDay(date))}</div>
      </div>
      <span className={css.equation}>
        1 {currency} =
        <InlineInput
          label={said.rateOf(currency)}
          value={String(rate)}
          onSave={(text) => {
            const next = readRate(text)
            if (next === undefined) return Promise.resolve(false)
            const body = { currency: currency as Currency, base: base as Currency }
            return save({ ...body, rate: next, date: today() })
          }}
        />
        {base}
      </span>
      <DeleteRecord
        name={said.rateOf(currency)}
        filter={{ fields: [{ field: 'contract_currency', operator: 'is', value: currency }] }}
        text={said.deleteText}
        onDelete={async () => {
          await call('DELETE /rates/{id}', { id })
          await readAgain(key)
        }}
      />
    </li>
  )
}

function NewRate({ base, known }: { base: string; known: readonly Rate[] }) {
  const { data } = useQuery(totalQuery)
  const needed = (data?.total.sum.left_out ?? [])
    .toSorted((a, b) => b.count - a.count)
    .map(({ currency }) => currency)
  const first = [...new Set([...needed, ...usual])]
  const rank = (code: string) => (first.includes(code) ? first.indexOf(code) : first.length)
  const choices = currencyChoices()
    .filter(([code]) => code !== base && !known.some(({ currency }) => currency === code))
    .toSorted(([a], [b]) => rank(a) - rank(b))
  const [wanted, setWanted] = useState<Currency>()
  const [text, setText] = useState('')
  const [date, setDate] = useState(today)
  const [currency] = choices.find(([code]) => code === wanted) ?? choices[0] ?? []
  const rate = readRate(text)
  return (
    <form
      className={css.formRow}
      onSubmit={submitting(async () => {
        if (!currency || rate === undefined) return
        if (await save({ currency, base: base as Currency, rate, date })) setText('')
      })}
    >
      <Select
        label={words.money.currency}
        value={currency ?? ''}
        options={choices}
        onValue={(code) => setWanted(code as Currency)}
      />
      <Field
        label={said.worth(base)}
        value={text}
        onValue={(next) => {
          setText(next)
          // It is for this one, also when leads come to need another one more.
          setWanted(currency)
        }}
        inputMode="decimal"
      />
      <WhenField label={said.date} kind="day" value={date} onValue={setDate} isRequired />
      <Button type="submit" disabled={rate === undefined || !date}>
        {words.actions.add}
      </Button>
    </form>
  )
}

export default { needs: 'admin', Content: RatesPart } satisfies Part
