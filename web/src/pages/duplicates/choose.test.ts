import { expect, test } from 'vitest'
import type { Lead } from '../../api/lead.ts'
import { allFields } from '../../kinds/fields.ts'
import { beside, fieldsOf, firstChoices, rowsOf, sourceOf } from './choose.ts'

const lead = (id: string, fields: Partial<Lead>) =>
  ({ id, created_at: `2026-01-0${id}T00:00:00Z`, attributes: {}, ...fields }) as Lead
const ada = lead('1', { first_name: 'Ada', last_name: 'Lovelace', city: 'London' })
const adda = lead('2', { first_name: 'Adda', city: 'London', phone: '+44 20', company: 'Engine' })
const leads = [ada, adda]
const rows = rowsOf(leads, allFields([]))
const find = (id: string) => rows.find(({ field }) => field.id === id)

test('a row is shown where any lead has a value, and differs where two have different ones', () => {
  expect(find('first_name')?.differs).toBe(true)
  expect(find('city')?.differs).toBe(false)
  expect(find('phone')?.differs).toBe(false)
  expect(find('email')).toBeUndefined()
})

test('the fullest stays at first, the older of equal ones', () => {
  const { survivor } = firstChoices(leads, rows)
  expect(survivor).toBe('2')
  const older = lead('1', { ...adda, id: '1', created_at: '2026-01-01T00:00:00Z' })
  expect(firstChoices([adda, older], rows).survivor).toBe('1')
})

test('a value comes from the lead that was chosen, else from the one that stays, else from any', () => {
  const stays = { survivor: '1', from: {} }
  const [name, phone] = [find('first_name'), find('phone')]
  if (!name || !phone) throw new Error('No such row')
  expect(sourceOf(stays, name.field, leads)).toBe('1')
  expect(sourceOf(stays, phone.field, leads)).toBe('2')
  const chosen = { ...stays, from: { first_name: '2' } }
  expect(sourceOf(chosen, name.field, leads)).toBe('2')
  expect(fieldsOf(chosen, rows, leads)).toEqual({ first_name: { from: '2' } })
})

test('the arrow keys stop at the ends', () => {
  const stays = { survivor: '1', from: {} }
  expect(beside(stays, leads, 1).survivor).toBe('2')
  expect(beside(stays, leads, -1).survivor).toBe('1')
  expect(beside(beside(stays, leads, 1), leads, 1).survivor).toBe('2')
})
