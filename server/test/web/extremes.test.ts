// The places of the page with more and longer data than anyone has: nothing sticks out at any width.
import { attributeTypes } from '@rapport/contract/attributes.values'
import { beforeAll, expect, test } from 'vitest'
import { importCampaigns } from '../../src/resources/campaigns/campaigns.import.ts'
import { service, type Workspace } from '../harness.ts'
import { button, choose, csv } from './import-wizard.ts'
import {
  expectNoFaults,
  forgive,
  narrow,
  type Opened,
  pages,
  untilQuiet,
  waitForRows,
} from './page.ts'

const app = service()
const open = pages(app)
const widths = [narrow, 1024, 1600]

/** A name of 200 characters without a space. */
const long = (start: string) => start + 'abcdefghij'.repeat(20).slice(start.length)
const hebrew = 'אברהם בן־דוד ושות׳ בע״מ'

let space: Workspace
let paths: string[]

const settings = [
  'workspace',
  'members',
  'keys',
  'lists',
  'statuses',
  'tags',
  'attributes',
  'account',
]

beforeAll(async () => {
  space = await app.workspace()
  const made = async (path: string, body: object): Promise<{ id: string }> =>
    (await space.post(path, body)).body
  const many = <T>(length: number, make: (at: number) => Promise<T>) =>
    Promise.all(Array.from({ length }, (_, at) => make(at)))
  const tags = await many(300, (at) =>
    made('/tags', { name: at % 3 ? `Tag ${at}` : long(`T${at}`) }),
  )
  const types = attributeTypes.filter((type) => type !== 'SELECT' && type !== 'RELATION')
  const attributes = await many(60, (at) =>
    made('/attributes', {
      name: at % 2 ? long(`A${at}`) : `${hebrew} ${at}`,
      type: types[at % types.length],
    }),
  )
  const list = await made('/lists', { name: long('List') })
  const statuses = await many(12, (at) =>
    made('/status', { name: at % 2 ? long(`Stage${at}`) : `${hebrew} ${at}`, id_list: list.id }),
  )
  const text = attributes.filter((_, at) => types[at % types.length] === 'TEXT')
  const leads = await many(30, (at) =>
    made('/lead', {
      first_name: at % 2 ? long('First') : 'אברהם',
      last_name: at % 2 ? long('Last') : 'בן־דוד',
      email: `${long('mail').slice(0, 60)}${at}@x.example`,
      company: at % 3 ? long('Company') : hebrew,
      phone: '+49 30 1234567890',
      website_url: `https://${long('site')}.example`,
      contract_value: 9_007_199_254_740_991,
      contract_currency: 'EUR',
      is_contract: true,
      lists: [list.id],
      status: [statuses[at % 3]?.id],
      tags: tags.slice(0, at === 0 ? 300 : 4).map(({ id }) => id),
      attributes: Object.fromEntries(text.map(({ id }) => [id, long('Value')])),
    }),
  )
  const [first] = leads
  await made('/notes', { id_lead: first?.id, content: `${long('Note')}\n${hebrew}` })
  for (const name of [long('Reminder'), hebrew]) {
    await made('/reminders', { name, id_lead: first?.id, date: '2026-01-05T09:00:00Z' })
  }
  for (const name of [long('View'), hebrew]) await made('/views', { name, shared: name === hebrew })
  const owner = await app.person(space)
  await owner.post('/keys', { name: long('Key').slice(0, 100), role: 'read' })
  await owner.post('/members', { email: `${long('new').slice(0, 60)}@x.example`, role: 'read' })
  const steps = [{ name: long('Step'), subject: long('Subject'), body: long('Body') }]
  const campaigns = [{ name: long('Campaign'), steps }, { name: hebrew }]
  await importCampaigns(app.db, space.id_space, JSON.stringify({ campaigns }), app.clock.now)
  const [campaign] = (await space.get('/campaigns')).body.data
  paths = [
    '/leads',
    `/leads?lead=${first?.id}`,
    `/leads?filter=${JSON.stringify({ tags: tags.slice(0, 100).map(({ id }) => id) })}`,
    `/lead/${first?.id}`,
    '/board',
    `/board?list=${list.id}`,
    `/overview?list=${list.id}`,
    '/reminders?who=all',
    '/campaigns',
    `/campaigns/${campaign.id}`,
    ...settings.map((part) => `/settings/${part}`),
    '/import',
  ]
})

/** How much wider than the window the page is, and how much wider than itself what it shows. */
const overflow = (page: Opened) =>
  page.evaluate(`(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    const main = document.querySelector('main')
    return [scrollWidth - clientWidth, main.scrollWidth - main.clientWidth]
  })()`)

async function expectToFit(page: Opened, what: string): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 860 })
    expect(await overflow(page), `${what} at ${width}`).toEqual([0, 0])
  }
}

test('nothing sticks out with 300 tags, 60 attributes, and long and right-to-left names', async () => {
  const page = await open({ key: space.key })
  await waitForRows(page)
  for (const path of paths) {
    // As the links of the page do.
    await page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)})`)
    await page.locator('main h1').waitFor()
    await untilQuiet(page)
    await expectToFit(page, path)
  }
  const header = [long('Column'), hebrew, 'Email'].join(',')
  const row = [long('cell'), hebrew, long('email')].join(',')
  await choose(page, csv(`${long('file')}.csv`, `${header}\n${row}`))
  await button(page, 'Check the rows').waitFor()
  await expectToFit(page, 'the columns of a file')
  await button(page, 'Check the rows').click()
  await page.getByRole('heading', { name: 'What will happen' }).waitFor()
  await expectToFit(page, 'the check of a file')
  // A key has no sessions to list.
  forgive(page, 403)
  await expectNoFaults(page)
})

test('the timeline says the first of very many tags that were added at once', async () => {
  const { body: lead } = await space.post('/lead', { last_name: 'Tagged' })
  const tags = (await space.get('/tags')).body.map(({ id }: { id: string }) => id)
  await space.patch(`/lead/${lead.id}`, { tags_connect: tags })
  const page = await open({ key: space.key, path: `/lead/${lead.id}` })
  await page.getByRole('tab', { name: 'Timeline' }).click()
  await page.getByText('Added tags').waitFor()
  await expectNoFaults(page)
})
