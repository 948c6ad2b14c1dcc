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
    'Exchange rates, kept by hand. Sums convert contract values to the currency of the workspace with the rates whose base it is, and so does the order by contract_value. When the workspace gets another currency, its rates are converted if one of them says what that is worth.',
  examples,
  routes: {
    list: route('GET /rates', {
      operationId: 'listRates',
      role: 'read',
      summary: 'List exchange rates',
      description: 'Returns all rates by base and currency, also those of other bases.',
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
      description: 'Contract values in its currency are then not part of sums.',
      reply: Message,
      example: { id: examples.rate },
    }),
  },
}
