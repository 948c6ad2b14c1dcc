import { expect, test } from 'vitest'
import { type Choices, type MergeLead, mergeValues } from './values.ts'

const choices: Choices = {
  ...{ rule: 'survivor', fields: new Map(), attributes: new Map(), relations: new Set() },
}
const lead = (id: string, fields: object): MergeLead => ({
  ...{ id, created_at: '2026-01-01T00:00:00Z', updated_at: null, attributes: {} },
  ...fields,
})

test('a phone number is kept once, however it is written', () => {
  const stays = lead('1', { phone: '+49 30 901820', timezone: 'Europe/Berlin' })
  const others = [
    lead('2', { phone: '030 / 90 18 20' }),
    lead('3', { phone: '0049-30-901820', other_phones: [{ value: '030 90181', label: 'Desk' }] }),
    lead('4', { phone: '+49 (0)30 90181' }),
  ]
  const update = mergeValues([stays, ...others], choices, 'Europe/Berlin')
  expect(update?.set.other_phones).toEqual([{ value: '030 90181', label: 'Desk' }])
})
