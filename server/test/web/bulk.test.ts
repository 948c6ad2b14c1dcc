// Bulk changes in a real browser: look, do, undo, delete; and two people at the same lead.
import { beforeAll, describe, expect, test } from 'vitest'
import { signedIn } from '../browser.ts'
import { service, type Workspace } from '../harness.ts'
import {
  expectNoFaults,
  expectToFit,
  forgive,
  narrow,
  type Opened,
  pages,
  rowOf,
  tabTo,
  violations,
  violationsInBothThemes,
  waitForRows,
} from './page.ts'

const app = service()
const open = pages(app)
let space: Workspace
let tag: { id: string; name: string }

beforeAll(async () => {
  space = await app.workspace()
  await space.post('/demo', { leads: 120 })
  tag = (await space.post('/tags', { name: 'Fair 2026' })).body
})

const count = async (filter: object) =>
  (await space.post('/leads/list', { filter, pagination: { page_size: 1 } })).body.total

const first = async () =>
  (await space.post('/leads/list', { pagination: { page_size: 1 } })).body.leads[0]

const statusOf = async (id: string | null) =>
  (await space.get(`/lead/${id}`)).body.status.map((status: { id: string }) => status.id)

const tray = (page: Opened) => page.getByRole('region', { name: 'Bulk changes' })

const bar = (page: Opened) => page.getByRole('region', { name: 'Actions for selected leads' })

test('leads that are lost together are asked why, once', async () => {
  const { body: lost } = await space.post('/status', { name: 'Gone', type: 'DEAL_LOST' })
  const page = await open({ key: space.key })
  await waitForRows(page)
  await rowOf(page, 1).getByRole('checkbox').check()
  await rowOf(page, 2).getByRole('checkbox').check()
  const begin = async () => {
    await bar(page).getByRole('button', { name: 'Status', exact: true }).click()
    await page.getByRole('combobox', { name: 'Find status' }).fill('Gone')
    await page.keyboard.press('Enter')
  }
  const why = page.getByRole('dialog', { name: 'Why were 2 leads lost?' })
  // Stages come in the order of the lists.
  await bar(page).getByRole('button', { name: 'Status', exact: true }).click()
  const [list] = (await space.get('/lists')).body
  const isOfList = ({ id_list }: { id_list: string }) => id_list === list.id
  const { name } = (await space.get('/status')).body.find(isOfList)
  await expect.poll(() => page.getByRole('option').first().innerText()).toBe(name)
  await page.keyboard.press('Escape')
  await begin()
  await why.getByRole('textbox', { name: 'Reason' }).waitFor()
  await page.keyboard.press('Escape')
  await why.waitFor({ state: 'detached' })
  expect(await page.getByRole('dialog').count()).toBe(0)

  await begin()
  await why.getByRole('textbox', { name: 'Reason' }).fill('Moved abroad')
  expect(await violations(page)).toEqual([])
  await why.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Change 2 leads' }).click()
  const filter = {
    status: [lost.id],
    fields: [{ field: 'lost_reason', operator: 'is', value: 'Moved abroad' }],
  }
  await expect.poll(() => count(filter)).toBe(2)
  await tray(page).getByText('2 leads got the status Gone').waitFor()
  await tray(page).getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => count({ status: [lost.id] })).toBe(0)
  await expect.poll(() => count({ fields: filter.fields })).toBe(0)
  await expectNoFaults(page)
})

test('all that match are selected, looked at, tagged, and the tag is taken back', async () => {
  const someone = await first()
  await space.patch(`/lead/${someone.id}`, { tags: [tag.id] })
  const page = await open({ key: space.key })
  await waitForRows(page)
  await page.getByRole('grid').focus()
  await page.keyboard.press('Control+a')
  await page.getByText('120 selected').waitFor()
  await rowOf(page, 3).getByRole('checkbox').uncheck()
  await page.getByText('119 selected').waitFor()
  await page.getByText('1 excluded').waitFor()

  // At a zoom of 200 % all actions are in view.
  const before = page.viewportSize()
  const [width, height] = [720, 450]
  await page.setViewportSize({ width, height })
  const areInView = async () => {
    const buttons = await bar(page).getByRole('button').all()
    const boxes = await Promise.all(buttons.map((button) => button.boundingBox()))
    return boxes.every((box) => box && box.x + box.width <= width && box.y + box.height <= height)
  }
  await expect.poll(areInView).toBe(true)
  if (before) await page.setViewportSize(before)

  await page.getByRole('button', { name: 'Tag', exact: true }).click()
  await page.getByRole('combobox', { name: 'Find tag' }).fill(tag.name)
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: '118 leads will get the tag Fair 2026' })
  await dialog.getByText('1 already has it.').waitFor()
  expect(await dialog.getByRole('listitem').count()).toBe(10)
  await dialog.getByRole('insertion').first().getByText(tag.name).waitFor()
  expect(await violations(page)).toEqual([])
  expect(await count({ tags: [tag.id] })).toBe(1)

  await dialog.getByRole('button', { name: 'Change 118 leads' }).click()
  await tray(page).getByText('118 leads got the tag Fair 2026').waitFor()
  await tray(page).getByText('Done').waitFor()
  expect(await count({ tags: [tag.id] })).toBe(119)
  await page.reload()
  await tray(page).getByText('118 leads got the tag Fair 2026').waitFor()
  expect(await violations(page)).toEqual([])

  await tray(page).getByRole('button', { name: 'Undo' }).click()
  await tray(page).getByText('Undone').waitFor()
  expect(await count({ tags: [tag.id] })).toBe(1)
  await expectNoFaults(page)
})

test('deleting asks for the number, and can be undone', async () => {
  const page = await open({ key: space.key })
  await waitForRows(page)
  await rowOf(page, 1).getByRole('checkbox').check()
  await rowOf(page, 2).getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: '2 leads will be deleted' })
  const run = dialog.getByRole('button', { name: 'Delete 2 leads' })
  const number = dialog.getByRole('textbox', { name: 'Type 2 to delete these leads' })
  await number.fill('3')
  expect(await run.isDisabled()).toBe(true)
  await page.keyboard.press('Enter')
  await number.fill('2')
  expect(await count({})).toBe(120)
  await run.click()
  await tray(page).getByText('2 leads were deleted').waitFor()
  await page.getByRole('heading', { name: 'All leads' }).locator('..').getByText('118').waitFor()
  expect(await count({})).toBe(118)
  await tray(page).getByRole('button', { name: 'Undo' }).click()
  await tray(page).getByText('Undone').waitFor()
  expect(await count({})).toBe(120)
  await expectNoFaults(page)
})

describe('a team with 242 leads', () => {
  let team: Workspace
  let members: { id: string; name: string }[]
  const owned = () =>
    Promise.all(
      members.map(async ({ id }) => {
        const body = { filter: { owners: [id] }, pagination: { page_size: 1 } }
        return (await team.post('/leads/list', body)).body.total as number
      }),
    )
  const openAll = async () => {
    const page = await open({ key: team.key })
    await waitForRows(page)
    await page.getByRole('grid').focus()
    await page.keyboard.press('Control+a')
    await page.getByText('242 selected').waitFor()
    return page
  }

  beforeAll(async () => {
    team = await app.workspace()
    members = await Promise.all(
      ['Ann Lee', 'Ben Okoro', 'Cem Kaya'].map(async (name) => {
        const id = await app.member(team)
        return (await team.patch(`/members/${id}`, { name })).body
      }),
    )
    const rows = Array.from({ length: 242 }, (_, at) => `Lead ${at},Oslo`)
    await team.call('POST', '/leads/import', `last_name,city\n${rows.join('\n')}\n`, 'text/csv')
  })

  test('is distributed over three people and taken back', async () => {
    const page = await openAll()
    await bar(page).getByRole('button', { name: 'Owners' }).click()
    const dialog = page.getByRole('dialog', { name: 'Owners of 242 leads' })
    await dialog.getByRole('radio', { name: /^Distribute evenly/ }).check()
    expect(await dialog.getByRole('button', { name: 'Preview' }).isDisabled()).toBe(true)
    for (const { name } of members) await dialog.getByRole('option', { name }).click()
    expect(await violations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Preview' }).click()
    const preview = page.getByRole('dialog', {
      name: '242 leads will be distributed to Ann Lee, Ben Okoro, and Cem Kaya',
    })
    const shares = preview.getByRole('list', { name: 'Who gets how many' }).getByRole('listitem')
    await shares.first().waitFor()
    expect(await shares.allInnerTexts()).toEqual(
      [81, 81, 80].map((leads) => expect.stringContaining(`${leads} leads`)),
    )
    expect(await violations(page)).toEqual([])
    expect(await owned()).toEqual([0, 0, 0])
    await preview.getByRole('button', { name: 'Change 242 leads' }).click()
    await tray(page).getByText('242 leads were distributed to Ann Lee').waitFor()
    await tray(page).getByText('Done').waitFor()
    expect(await owned()).toEqual([81, 81, 80])
    await tray(page).getByRole('button', { name: 'Undo' }).click()
    await tray(page).getByText('Undone').waitFor()
    expect(await owned()).toEqual([0, 0, 0])
    await expectNoFaults(page)
  })

  test('the keyboard alone: an owner is replaced, and fields are set and cleared', async () => {
    await team.patch('/leads/update-many', { filter: {}, data: { owners: [members[0]?.id] } })
    const page = await openAll()
    const press = (...keys: string[]) =>
      keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve())
    const command = async (name: string) => {
      await press('Control+k')
      await page.getByRole('dialog').getByRole('combobox').waitFor()
      await page.keyboard.type(name)
      await page.getByRole('option', { name: `${name}: 242 selected` }).waitFor()
      await press('Enter')
    }
    const enter = async (name: RegExp) => {
      await tabTo(page, page.getByRole('dialog').getByRole('button', { name }))
      await press('Enter')
    }
    await command('Replace an owner')
    const dialog = page.getByRole('dialog', { name: 'Owners of 242 leads' })
    expect(await dialog.getByRole('radio', { name: /^Replace/ }).isChecked()).toBe(true)
    await tabTo(page, dialog.getByRole('button', { name: /^Replace: / }))
    await page.keyboard.type('Ann')
    await press('Enter')
    await dialog.getByRole('button', { name: 'Replace: Ann Lee' }).waitFor()
    await tabTo(page, dialog.getByRole('combobox', { name: 'Find members' }))
    await page.keyboard.type('ben')
    await press('Enter')
    await enter(/^Preview$/)
    await page
      .getByRole('dialog', { name: '242 leads will go from Ann Lee to Ben Okoro' })
      .waitFor()
    await enter(/^Change 242 leads$/)
    await tray(page).getByText('242 leads went from Ann Lee to Ben Okoro').waitFor()
    await expect.poll(owned).toEqual([0, 242, 0])

    await page.getByRole('grid').focus()
    await press('Control+a')
    await command('Edit field')
    await page.getByRole('combobox', { name: 'Find a field' }).waitFor()
    expect(await violations(page)).toEqual([])
    await page.keyboard.type('city')
    await press('Enter')
    await page.getByRole('textbox', { name: 'City' }).waitFor()
    expect(await violations(page)).toEqual([])
    await page.keyboard.type('Lisbon')
    await press('Enter')
    const change = page.getByRole('dialog', { name: 'City of 242 leads will change' })
    await change.getByRole('insertion').first().getByText('Lisbon').waitFor()
    await press('Enter')
    await tray(page).getByText('City of 242 leads changed').waitFor()
    const cities = async () =>
      (await team.post('/leads/list', { filter: { search: 'Lisbon' } })).body.total
    await expect.poll(cities).toBe(242)
    await expectNoFaults(page)
  })

  test('any custom attribute can be set for all', async () => {
    const make = async (body: object) => (await team.post('/attributes', body)).body
    const region = await make({
      ...{ name: 'Region', type: 'SELECT', isMultiSelect: true },
      select_options: [{ name: 'North' }, { name: 'South' }],
    })
    const size = await make({ name: 'Size', type: 'NUMBER' })
    const vip = await make({ name: 'Very important', type: 'CHECKBOX' })
    const partner = await make({ name: 'Partner', type: 'RELATION' })
    const [lead] = (await team.post('/leads/list', {})).body.leads
    const page = await openAll()
    const set = async (name: string, work: () => Promise<void>) => {
      await bar(page).getByRole('button', { name: 'Edit field' }).click()
      await page.getByRole('combobox', { name: 'Find a field' }).fill(name)
      await page.getByRole('option', { name }).click()
      await work()
      await page.getByRole('button', { name: 'Preview' }).click()
      await page.getByRole('button', { name: /^Change \d+ leads$/ }).click()
      await tray(page).getByText(`${name} of`).last().waitFor()
      await page.getByRole('grid').focus()
      await page.keyboard.press('Control+a')
    }
    await set('Region', async () => {
      await page.getByRole('option', { name: 'North' }).click()
      await page.getByRole('option', { name: 'South' }).click()
    })
    await set('Size', async () => {
      const input = page.getByRole('textbox', { name: 'Size' })
      await input.fill('many')
      await page.getByRole('button', { name: 'Preview' }).click()
      await page.getByRole('alert').getByText('Enter a number.').waitFor()
      await input.fill('1.5')
    })
    await set('Very important', () => page.getByRole('radio', { name: 'Yes' }).check())
    await set('Partner', async () => {
      await page.getByRole('combobox', { name: /^Find a lead/ }).fill('Lead 7')
      await page.getByRole('option').first().click()
    })
    const north = region.select_options.map(({ id }: { id: string }) => id)
    const attributes = async () => (await team.get(`/lead/${lead.id}`)).body.attributes
    await expect.poll(attributes).toMatchObject({
      ...{ [region.id]: north, [size.id]: 1.5, [vip.id]: true, [partner.id]: expect.any(String) },
    })
    await set('Size', () => page.getByRole('textbox', { name: 'Size' }).fill(''))
    await expect.poll(async () => (await attributes())[size.id]).toBeUndefined()
    const done = tray(page).getByText('Size of 242 leads changed')
    await expect.poll(() => done.count()).toBe(2)
    await tray(page).getByRole('button', { name: 'Undo' }).last().click()
    await expect.poll(async () => (await attributes())[size.id]).toBe(1.5)

    // What is undone elsewhere is told once.
    await page.keyboard.press('Control+z')
    await page.getByText('Undone: Partner of 242 leads changed').waitFor()
    expect(await tray(page).getByText('Partner of').count()).toBe(0)
    await expectNoFaults(page)
  })
})

test('on a phone, leads are sorted, and those whose sign is tapped get a tag', async () => {
  const page = await open({ key: space.key, width: narrow })
  const cards = page.getByRole('list', { name: 'Leads' })
  await page.getByRole('button', { name: /^Sort/ }).click()
  await page.getByRole('combobox', { name: 'Find a field' }).fill('Company')
  await page.getByRole('option', { name: 'Company', exact: true }).click()
  await page.waitForURL(/order/)
  const orderBy = [{ field: 'company', type: 'asc' }]
  const { leads } = (await space.post('/leads/list', { orderBy, pagination: { page_size: 2 } }))
    .body
  await expect
    .poll(() => cards.getByRole('listitem').first().innerText())
    .toContain(leads[0].company)
  const [one, other] = await cards.getByRole('checkbox').all()
  await one?.check()
  await other?.check()
  await bar(page).getByText('2 selected').waitFor()
  expect(await page.getByRole('tab', { name: 'Timeline' }).count()).toBe(0)
  await expectToFit(page, narrow)
  await bar(page).getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Tag', exact: true }).click()
  await page.getByRole('combobox', { name: 'Find tag' }).fill(tag.name)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Change 2 leads' }).click()
  const ids = leads.map(({ id }: { id: string }) => id)
  await expect.poll(() => count({ leads: ids, tags: [tag.id] })).toBe(2)
  await tray(page).getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => count({ leads: ids, tags: [tag.id] })).toBe(0)
  await expectNoFaults(page)
})

test('the trash: deleted leads are found and restored, one by one and in bulk', async () => {
  const { body } = await space.post('/leads/list', { pagination: { page_size: 4 } })
  const deleted = body.leads.map(({ id }: { id: string }) => id)
  await space.post('/leads/delete', { filter: { leads: deleted } })
  const [one, two] = body.leads
  const nameOf = (lead: { first_name: string; last_name: string; company: string }) =>
    lead.first_name ? `${lead.first_name} ${lead.last_name}` : lead.company
  const page = await open({ key: space.key })
  await waitForRows(page)
  await page.keyboard.press('g')
  await page.keyboard.press('t')
  await page.getByRole('heading', { name: 'Trash' }).waitFor()
  const rows = page.getByRole('table', { name: 'Deleted leads' }).locator('tbody tr')
  await expect.poll(() => rows.count()).toBe(4)
  await page.getByRole('searchbox', { name: 'Search the trash' }).fill(nameOf(one))
  await expect.poll(() => rows.count()).toBe(1)
  await page.getByRole('button', { name: `Restore ${nameOf(one)}` }).click()
  await page.getByText('Lead restored').waitFor()
  expect((await space.get(`/lead/${one.id}`)).status).toBe(200)
  await page.getByText('No deleted leads found').waitFor()
  await page.getByRole('searchbox').fill('')
  await expect.poll(() => rows.count()).toBe(3)
  expect(await violationsInBothThemes(page)).toEqual([[], []])

  // The address of a deleted lead.
  await page.getByRole('link', { name: nameOf(two) }).click()
  await page.getByText('Member owner deleted this lead').waitFor()
  expect(await page.getByRole('button', { name: 'Edit City' }).count()).toBe(0)
  expect(await violationsInBothThemes(page)).toEqual([[], []])
  await tabTo(page, page.getByRole('button', { name: 'Restore' }))
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Edit City' }).waitFor()
  await expect.poll(async () => (await space.get(`/lead/${two.id}`)).status).toBe(200)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete lead' }).click()
  await page
    .getByText(`${nameOf(two)} will be hidden. You can restore this from the trash.`)
    .waitFor()
  await page.keyboard.press('Escape')
  await page.goBack()

  await expect.poll(() => rows.count()).toBe(2)
  await tabTo(page, page.getByRole('checkbox', { name: 'Select all' }))
  await page.keyboard.press('Space')
  await bar(page).getByText('2 selected').waitFor()
  // Notices, if there are any, do not cover what can be done.
  const notices = page.getByRole('region', { name: 'Notices' })
  const top = (await bar(page).boundingBox())?.y ?? 0
  await expect
    .poll(() => notices.evaluate((area) => area.getBoundingClientRect().bottom))
    .toBeLessThan(top)
  await tabTo(page, bar(page).getByRole('button', { name: 'Restore' }))
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: '2 leads will be restored' })
  await dialog.getByRole('button', { name: 'Restore 2 leads' }).waitFor()
  expect(await violations(page)).toEqual([])
  await page.keyboard.press('Enter')
  await tray(page).getByText('2 leads were restored').waitFor()
  await page.getByText('The trash is empty').waitFor()
  expect(await count({})).toBe(120)
  forgive(page, 404)
  await expectNoFaults(page)
})

test('the history says who changed what, from what to what', async () => {
  const lead = await first()
  const { body: shown } = await space.post('/tags', { name: 'Seen in Oslo' })
  await space.patch(`/lead/${lead.id}`, { city: 'Oslo' })
  await space.patch(`/lead/${lead.id}`, { city: 'Bergen', tags: [shown.id] })
  // An event is in the history as soon as it has its number.
  const history = async () => JSON.stringify((await space.get(`/lead/${lead.id}/events`)).body)
  await expect.poll(history).toContain(shown.id)
  const page = await open({ key: space.key, path: `/lead/${lead.id}` })
  const change = page.getByRole('listitem').filter({ hasText: 'Bergen' })
  await change.getByRole('deletion').getByText('Oslo').waitFor()
  await change.getByRole('insertion').getByText('Bergen').waitFor()
  await page.getByRole('insertion').getByText('Seen in Oslo').waitFor()
  await change.getByText('Member owner').waitFor()
  await expectNoFaults(page)
})

test('two people at the same field: the second is told, and nothing is overwritten silently', async () => {
  const lead = await first()
  await space.patch(`/lead/${lead.id}`, { city: 'Turku', company_role: 'Buyer' })
  const colleague = app.as(await app.key(space, 'write', await app.member(space)))
  const page = await open({ key: space.key, path: `/lead/${lead.id}` })
  const city = async () => (await space.get(`/lead/${lead.id}`)).body.city
  await page.getByRole('button', { name: 'Edit City' }).click()
  await page.getByRole('textbox', { name: 'City' }).fill('Malmö')
  await colleague.patch(`/lead/${lead.id}`, { city: 'Tampere' })
  await page.keyboard.press('Enter')
  const told = page.getByRole('alert')
  await told.getByText('Couldn’t save City').waitFor()
  await told
    .getByText('Member write has since changed it to “Tampere”. You entered “Malmö”.')
    .waitFor()
  await page.getByRole('definition').getByText('Tampere').waitFor()
  expect(await city()).toBe('Tampere')
  await told.getByRole('button', { name: 'Save mine' }).click()
  await expect.poll(city).toBe('Malmö')

  // Another field of the same lead is nobody's business.
  await page.getByRole('button', { name: 'Edit City' }).click()
  await page.getByRole('textbox', { name: 'City' }).fill('Lund')
  await colleague.patch(`/lead/${lead.id}`, { company_role: 'Head of buying' })
  await page.keyboard.press('Enter')
  await expect.poll(city).toBe('Lund')
  expect((await space.get(`/lead/${lead.id}`)).body.company_role).toBe('Head of buying')

  // Tags are sent whole, so a tag that a colleague added must not get lost.
  const { body: other } = await space.post('/tags', { name: 'Of the colleague' })
  await page.getByRole('button', { name: 'Edit Tags' }).click()
  await colleague.patch(`/lead/${lead.id}`, { tags: [other.id] })
  await page.getByRole('definition').getByText('Of the colleague').waitFor()
  await page.getByRole('combobox', { name: 'Find tags' }).fill('Brand new')
  await page.keyboard.press('Enter')
  await page.getByRole('definition').getByText('Brand new').waitFor()
  const names = async () => {
    const { body } = await space.get(`/lead/${lead.id}`)
    return body.tags.map(({ name }: { name: string }) => name).sort()
  }
  await expect.poll(names).toEqual(['Brand new', 'Of the colleague'])
  await expectNoFaults(page)
})

test('Ctrl+Z takes back my last edits in this tab, and an entry of the timeline can be undone', async () => {
  const { id } = await first()
  await space.patch(`/lead/${id}`, { city: 'Turku' })
  const colleague = app.as(await app.key(space, 'write', await app.member(space)))
  const city = async () => (await space.get(`/lead/${id}`)).body.city
  const page = await open({ key: space.key, path: `/lead/${id}` })
  const edit = async (field: string, value: string) => {
    await page.getByRole('button', { name: `Edit ${field}`, exact: true }).click()
    await page.getByRole('textbox', { name: field, exact: true }).fill(value)
    await page.keyboard.press('Enter')
  }
  await edit('City', 'Malmö')
  await expect.poll(city).toBe('Malmö')
  await edit('City', 'Lund')
  await page.keyboard.press('Control+z')
  await page.getByText('Undone: City of').waitFor()
  await expect.poll(city).toBe('Malmö')
  await page.getByRole('definition').getByText('Malmö').waitFor()
  await page.keyboard.press('Control+z')
  await expect.poll(city).toBe('Turku')
  await page.keyboard.press('Control+z')
  await page.getByText('Nothing to undo in this tab').waitFor()
  // Ctrl+Shift+Z does it again, step by step, until something else is done.
  await page.keyboard.press('Control+Shift+z')
  await expect.poll(city).toBe('Malmö')
  await page.keyboard.press('Control+Shift+z')
  await expect.poll(city).toBe('Lund')
  await page.getByRole('definition').getByText('Lund').waitFor()
  await page.keyboard.press('Control+z')
  await expect.poll(city).toBe('Malmö')
  await page.getByRole('definition').getByText('Malmö').waitFor()
  await edit('Website', 'lund.example')
  await page.keyboard.press('Control+Shift+z')
  await page.getByText('Nothing to redo in this tab').waitFor()
  expect(await city()).toBe('Malmö')

  // Nothing newer is lost.
  await edit('City', 'Visby')
  await expect.poll(city).toBe('Visby')
  await colleague.patch(`/lead/${id}`, { city: 'Tampere' })
  await page.getByRole('definition').getByText('Tampere').waitFor()
  await page.keyboard.press('Control+z')
  await page.getByRole('alert').getByText('This has changed again since').waitFor()
  expect(await city()).toBe('Tampere')

  const entry = page.getByRole('listitem').filter({ hasText: 'Tampere' }).first()
  await entry.hover()
  await entry.getByRole('button', { name: 'Undo: City' }).click()
  await expect.poll(city).toBe('Visby')
  expect(await violationsInBothThemes(page)).toEqual([[], []])
  const mine = page.getByRole('listitem').filter({ hasText: 'Visby' }).first()
  await tabTo(page, mine.getByRole('button', { name: 'Undo: City' }))
  await page.keyboard.press('Enter')
  await expect.poll(city).toBe('Tampere')
  await colleague.patch(`/lead/${id}`, { contract_amount: 12.5 })
  await page.getByRole('button', { name: 'Undo: Contract value' }).waitFor()
  // What has changed since cannot be undone.
  const old = page.getByRole('listitem').filter({ hasText: 'Malmö' }).first()
  await expect.poll(() => old.getByRole('button').count()).toBe(0)
  forgive(page, 409)
  await expectNoFaults(page)
})

test('recent changes: who did what, filtered by person and kind, and undone', async () => {
  const team = await app.workspace()
  const lead = async (first_name: string) =>
    (await team.post('/lead', { first_name, city: 'Turku' })).body.id
  const [ada, bob] = [await lead('Ada'), await lead('Bob')]
  const member = await app.member(team)
  const colleague = app.as(await app.key(team, 'write', member))
  app.clock.advance(1000)
  await colleague.patch(`/lead/${ada}`, { city: 'Malmö' })
  app.clock.advance(1000)
  await colleague.patch('/leads/update-many', { filter: {}, data: { company_role: 'Buyer' } })
  const city = async () => (await team.get(`/lead/${ada}`)).body.city
  const role = async () => (await team.get(`/lead/${bob}`)).body.company_role
  const page = await open({ key: team.key })
  await page.getByRole('grid').waitFor()
  await page.keyboard.press('g')
  await page.keyboard.press('h')
  await page.getByRole('heading', { name: 'Recent changes' }).waitFor()
  const list = page.getByRole('region', { name: 'Changes', exact: true })
  const entries = list.getByRole('listitem')
  await expect.poll(() => entries.count()).toBe(4)
  await entries.first().getByText('2 leads changed').waitFor()
  await entries.nth(1).getByRole('deletion').getByText('Turku').waitFor()
  expect(await violationsInBothThemes(page)).toEqual([[], []])

  const who = page.getByRole('region', { name: 'Who did what' })
  await who.getByRole('link', { name: 'Member write, Edited: 3' }).click()
  await expect.poll(() => entries.count()).toBe(2)
  await entries
    .nth(1)
    .getByRole('button', { name: /^Undo: / })
    .click()
  await page.getByText('Undone: City of Ada').waitFor()
  await expect.poll(city).toBe('Turku')
  await entries.nth(1).getByText('Undone').waitFor()

  await tabTo(page, entries.first().getByRole('button', { name: 'Undo: 2 leads changed' }))
  await page.keyboard.press('Enter')
  await expect.poll(role).toBe(null)

  await tabTo(page, page.getByRole('button', { name: 'Person: Member write' }))
  await page.keyboard.press('Enter')
  await page.getByRole('menuitemradio', { name: 'Everyone' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Kind of change: Edited' }).click()
  await page.getByText('All changes').click()
  await expect.poll(() => entries.count()).toBe(6)
  await page.getByRole('link', { name: 'Today' }).click()
  await expect.poll(() => entries.count()).toBe(6)
  expect(page.url()).toContain('/changes?period=today')

  // An undo says how many leads it has changed, and how many it has not.
  await team.patch('/leads/update-many', { filter: {}, data: { city: 'Oslo' } })
  await team.patch(`/lead/${ada}`, { city: 'Bergen' })
  await team.patch('/leads/update-many', { filter: { leads: [ada] }, data: { city: 'Rome' } })
  await team.patch(`/lead/${ada}`, { city: 'Paris' })
  await page.reload()
  await list.getByRole('button', { name: 'Undo: 1 lead changed' }).click()
  const alert = page.getByRole('alert').filter({ hasText: 'Nothing undone: 1 lead changed' })
  await alert.getByText('1 kept: changed since').waitFor()
  await list.getByRole('button', { name: 'Undo: 2 leads changed' }).click()
  await page
    .getByText(/^Undone in part: 2 leads changed\s*1 of 2\. 1 kept: changed since$/)
    .waitFor()
  expect(await city()).toBe('Paris')
  await page.getByRole('button', { name: 'Redo' }).last().click()
  await page.getByText(/^Redone in part: 2 leads changed\s*1 of 2$/).waitFor()

  // Who got the leads, and which they are.
  const given = { kind: 'distribute', filter: {}, data: { owners: [member] } }
  const { confirm } = (await team.post('/operations/preview', given)).body
  await team.post('/operations', { ...given, confirm })
  const distributed = entries.filter({ hasText: '2 leads distributed · to Member write' })
  await distributed.getByRole('link', { name: '2 leads distributed' }).click()
  await waitForRows(page)
  expect(await page.getByRole('row', { name: /Ada|Bob/ }).count()).toBe(2)
  await expectNoFaults(page)
})

test('recent changes say what was undone and redone, of which record, and by whom, also of former members', async () => {
  const team = await app.workspace()
  const owner = await signedIn(app, { id_space: team.id_space, id: team.owner })
  const leaver = await app.member(team)
  await app.as(await app.key(team, 'write', leaver)).post('/lead', { first_name: 'Ada' })
  await owner.call('DELETE', `/rest/members/${leaver}`)
  await team.patch('/leads/update-many', { filter: {}, data: { contract_amount: 12.5 } })
  const { body: view } = await team.post('/views', { name: 'Big deals' })
  await team.patch(`/views/${view.id}`, { columns: [{ field: 'city' }] })
  const dollar = { currency: 'USD', base: 'EUR', rate: 0.9, date: '2026-01-31' }
  await team.post('/rates', dollar)
  await team.post('/rates', { ...dollar, rate: 0.95 })
  const franc = { ...dollar, currency: 'CHF' }
  await team.remove(`/rates/${(await team.post('/rates', franc)).body.id}`)
  app.clock.advance(1000)
  const all = { filter: {}, kind: 'delete', data: {} }
  const { confirm } = (await team.post('/operations/preview', all)).body
  await team.post('/operations', { ...all, confirm })
  const page = await open({ key: team.key, path: '/changes' })
  const list = page.getByRole('region', { name: 'Changes', exact: true })
  const entries = list.getByRole('listitem')
  const entry = (text: string) => entries.filter({ hasText: text }).waitFor()
  await entry('1 lead changed · Contract value')
  await entry('View created · Big deals')
  await entry('View changed · Big deals')
  await entry('Exchange rate changed · USD in EUR')
  await entry('Exchange rate deleted · CHF in EUR')

  await list.getByRole('button', { name: 'Undo: 1 lead deleted' }).click()
  await entries.first().getByText('Undid a deletion of 1 lead').waitFor()
  await entries.first().getByRole('button', { name: 'Redo: a deletion of 1 lead' }).click()
  await page.getByText('Redone: a deletion of 1 lead').waitFor()
  await entries.first().getByText('Redid a deletion of 1 lead').waitFor()
  await entries.first().getByRole('button', { name: 'Undo: a deletion of 1 lead' }).click()
  await page.getByText('Undone: a deletion of 1 lead').waitFor()

  const who = page.getByRole('region', { name: 'Who did what' })
  await who.getByRole('link', { name: 'Former member, Created: 1' }).click()
  await page.getByRole('button', { name: 'Person: Former member' }).waitFor()
  await page.getByRole('button', { name: 'Kind of change: Created' }).waitFor()
  await expect.poll(() => entries.count()).toBe(1)
  await page.getByRole('link', { name: 'Today' }).click()
  await page.reload()
  await page.getByRole('button', { name: 'Person: Former member' }).waitFor()
  await entry('Former member (API) · Lead created · Ada')
  await page.goBack()
  await page.goBack()
  await page.getByRole('button', { name: 'Person: Everyone' }).waitFor()
  await expectNoFaults(page)
})

test('the keyboard alone: filter, open, note, stage, bulk tag, undo', async () => {
  const page = await open({ key: space.key })
  await waitForRows(page)
  await page.keyboard.press('/')
  await page.getByRole('textbox', { name: 'Search' }).waitFor()
  await page.keyboard.type('a')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.url()).toContain('search')
  const filter = JSON.parse(new URL(page.url()).searchParams.get('filter') ?? '')
  const total = await count(filter)
  await page.getByText(`${total} of 120`).waitFor()

  await tabTo(page, page.getByRole('grid'))
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  const panel = page.getByRole('complementary', { name: 'Lead' })
  await panel.getByRole('tab', { name: 'Timeline' }).waitFor()
  const id = new URL(page.url()).searchParams.get('lead')

  const before = await statusOf(id)
  await tabTo(page, panel.getByRole('button', { name: 'Edit Status' }))
  await page.keyboard.press('Enter')
  await page.getByRole('combobox', { name: 'Find status' }).waitFor()
  const { body: statuses } = await space.get('/status')
  await page.keyboard.type(statuses[1].name)
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await expect.poll(() => statusOf(id)).not.toEqual(before)

  await tabTo(page, panel.getByRole('textbox', { name: 'Write a note' }))
  await page.keyboard.type('By hand')
  await page.keyboard.press('Control+Enter')
  await panel.getByRole('listitem').getByText('By hand').waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })

  await page.keyboard.press('Control+a')
  await page.getByText(`${total} selected`).waitFor()
  await page.keyboard.press('t')
  await page.getByRole('combobox', { name: 'Find tag' }).waitFor()
  await page.keyboard.type(tag.name)
  await page.getByRole('option', { name: tag.name }).waitFor()
  await page.keyboard.press('Enter')
  const change = page.getByRole('button', { name: /^Change \d+ leads/ })
  await change.waitFor()
  await tabTo(page, change)
  await page.keyboard.press('Enter')
  const undo = tray(page).getByRole('button', { name: 'Undo' })
  await tray(page)
    .getByText(new RegExp(`leads got the tag ${tag.name}$`))
    .waitFor()
  await tabTo(page, undo)
  await page.keyboard.press('Enter')
  await tray(page).getByText('Undone').waitFor()
  await expectNoFaults(page)
})
