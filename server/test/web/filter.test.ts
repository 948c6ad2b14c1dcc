// The filter builder in a real browser: conditions on fields, and on what has happened.
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { service, type Workspace } from '../harness.ts'
import { expectNoFaults, pages, violations, waitForRows } from './page.ts'

const app = service()
const open = pages(app)
let space: Workspace

beforeAll(async () => {
  space = await app.workspace()
  const make = (first_name: string, contract_value: number, city: string) =>
    space.post('/lead', { first_name, contract_value, city })
  await make('Ada', 20_000, 'Berlin')
  await make('Bob', 9_000, 'Berlin')
  await make('Cleo', 30_000, 'Paris')
})

const filterOf = (page: Page) => JSON.parse(new URL(page.url()).searchParams.get('filter') ?? '{}')

/** Opens the menu of conditions and picks one, by the keyboard. */
async function add(page: Page, name: string) {
  await page.getByRole('grid').focus()
  await page.keyboard.press('f')
  await page.getByRole('combobox', { name: 'Find a field' }).fill(name)
  await page.keyboard.press('Enter')
}

test('every field can be asked for, and a condition applies when it is complete', async () => {
  const page = await open({ key: space.key })
  await waitForRows(page)
  await add(page, 'Contract value')
  const apply = page.getByRole('button', { name: 'Apply' })
  expect(await apply.isDisabled()).toBe(true)
  await page.getByRole('textbox', { name: 'Contract value' }).fill('10000')
  await page.getByText('2 leads match').waitFor()
  expect(filterOf(page)).toEqual({})
  await page.keyboard.press('Enter')
  const above = { field: 'contract_value', operator: 'greater_than', value: 10_000 }
  await expect.poll(() => filterOf(page)).toEqual({ fields: [above] })
  await page.getByRole('button', { name: 'Contract value more than 10000', exact: true }).waitFor()
  await page.getByRole('gridcell', { name: 'Bob' }).waitFor({ state: 'detached' })

  await add(page, 'City')
  await page.getByLabel('Operator').selectOption('is')
  await page.getByRole('textbox', { name: 'City' }).fill('berlin')
  await page.keyboard.press('Enter')
  const inBerlin = { field: 'city', operator: 'is', value: 'berlin' }
  await expect.poll(() => filterOf(page)).toEqual({ fields: [above, inBerlin] })

  // A chip changes its condition.
  await page.getByRole('button', { name: 'City is berlin', exact: true }).click()
  await page.getByLabel('Operator').selectOption('is_not')
  await page.getByText('Includes leads without a value.').waitFor()
  expect(await violations(page)).toEqual([])
  await apply.click()
  await expect
    .poll(() => filterOf(page))
    .toEqual({ fields: [above, { ...inBerlin, operator: 'is_not' }] })
  await page.getByRole('gridcell', { name: 'Cleo' }).first().waitFor()
  await expectNoFaults(page)
})

test('Escape leaves no trace', async () => {
  const page = await open({ key: space.key })
  await waitForRows(page)
  await add(page, 'City')
  await page.getByRole('textbox', { name: 'City' }).fill('Paris')
  await page.getByText('1 lead matches').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('textbox', { name: 'City' }).waitFor({ state: 'detached' })
  expect(filterOf(page)).toEqual({})

  // Also where what is typed or chosen applies at once.
  await add(page, 'Search')
  await page.keyboard.type('Ada')
  await expect.poll(() => filterOf(page)).toEqual({ search: 'Ada' })
  await page.keyboard.press('Escape')
  await expect.poll(() => filterOf(page)).toEqual({})
  await page.getByRole('gridcell', { name: 'Bob', exact: true }).waitFor()
  await expectNoFaults(page)
})

test('leads without activity for some time, and with reminders that are due', async () => {
  const page = await open({ key: space.key })
  await waitForRows(page)
  await add(page, 'Activity')
  await page.getByRole('textbox', { name: 'How many' }).fill('2')
  await page.getByLabel('Unit').selectOption('week')
  await page.keyboard.press('Enter')
  const activity = { none_since: '-2w' }
  await expect.poll(() => filterOf(page)).toEqual({ activity })
  await page.getByRole('button', { name: 'Activity none since 2 weeks ago', exact: true }).waitFor()

  await add(page, 'Reminder')
  await page.getByRole('option', { name: 'overdue' }).click()
  await expect.poll(() => filterOf(page)).toEqual({ activity, reminders: { due: 'overdue' } })
  await expectNoFaults(page)
})

test('a column is filtered from its header, by the value of a cell, with mouse and keyboard', async () => {
  const page = await open({
    key: space.key,
    path: '/leads?columns=name,city,contract_value',
  })
  await waitForRows(page)
  const header = page.getByRole('columnheader', { name: 'City' })
  await header.hover()
  await header.getByRole('button', { name: 'Column City' }).click()
  await page.getByRole('menuitem', { name: 'Filter …' }).click()
  await page.getByRole('textbox', { name: 'City' }).fill('Par')
  await page.keyboard.press('Enter')
  await expect
    .poll(() => filterOf(page))
    .toEqual({ fields: [{ field: 'city', operator: 'contains', value: 'Par' }] })
  await page.getByRole('button', { name: /^Remove.*City/ }).click()

  await page.getByRole('gridcell', { name: 'Berlin' }).first().click({ button: 'right' })
  expect(await violations(page)).toEqual([])
  await page.getByRole('menuitem', { name: 'Filter by this value' }).click()
  const inBerlin = { field: 'city', operator: 'is', value: 'Berlin' }
  await expect.poll(() => filterOf(page)).toEqual({ fields: [inBerlin] })
  await page.getByRole('gridcell', { name: 'Paris' }).waitFor({ state: 'detached' })

  await page.getByRole('gridcell', { name: '9,000' }).click()
  await page.keyboard.press('Shift+F')
  const value = { field: 'contract_value', operator: 'equals', value: 9000 }
  await expect.poll(() => filterOf(page)).toEqual({ fields: [inBerlin, value] })
  await page.getByRole('gridcell', { name: 'Ada' }).waitFor({ state: 'detached' })
  await expectNoFaults(page)
})
