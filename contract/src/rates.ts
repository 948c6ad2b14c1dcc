import { Type } from 'typebox'
import { currencies } from './money.values.ts'
import { route } from './route.ts'
import { DateTime, Id, Message, OneOf, Shape } from './shapes.ts'

const Currency = OneOf(currencies)
export const smallestRate = 0.000_001
export const largestRate = 1_000_000_000
const Value = Type.Number({
  minimum: smallestRate,
  maximum: largestRate,
  description: 'What one unit of currency is worth in base',
})

export const Rate = Shape('Rate', {
  id: Id,
  base: Type.String(),
  currency: Type.String(),
  rate: Value,
  date: Type.String({ format: 'date', description: 'The day of the rate' }),
  created_at: DateTime,
  updated_at: DateTime,
  id_space: Type.String(),
})

const RateInput = Shape('RateInput', {
  currency: Currency,
  base: Type.Optional(OneOf(currencies, { description: 'Default: the currency of the workspace' })),
  rate: Value,
  date: Type.String({ format: 'date' }),
})

const examples = { rate: '01920000-0000-7000-8000-000000000031' }

export const rates = {
  name: 'Rates',
  description:
    'Exchange rates, maintained by hand. Sums, and the order by contract_value, convert contract values to the currency of the workspace with the rates whose base it is. If that currency changes, its rates are converted, provided that there is a rate between the two.',
  examples,
  routes: {
    list: route('GET /rates', {
      operationId: 'listRates',
      role: 'read',
      summary: 'List exchange rates',
      description:
        'Returns all rates, ordered by base and currency, including those for other bases.',
      reply: Type.Array(Rate, { title: 'Rates' }),
    }),
    create: route('POST /rates', {
      operationId: 'createRate',
      role: 'admin',
      summary: 'Set an exchange rate',
      description: 'Replaces the rate of the same currency and base, if there is one.',
      body: RateInput,
      reply: Rate,
      example: { body: { currency: 'GBP', base: 'EUR', rate: 1.15, date: '2026-01-31' } },
    }),
    remove: route('DELETE /rates/{id}', {
      operationId: 'deleteRate',
      role: 'admin',
      summary: 'Delete an exchange rate',
      description: 'Sums then leave out contract values in its currency.',
      reply: Message,
      example: { id: examples.rate },
    }),
  },
}
