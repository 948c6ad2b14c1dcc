import { beforeAll, describe, expect, test } from 'vitest'
import { service, type Workspace } from '../../../test/harness.ts'
import { run } from '../../db/sql.ts'
import { importCampaigns } from './campaigns.import.ts'

const app = service()
let space: Workspace
beforeAll(async () => {
  space = await app.workspace()
})

const add = (campaigns: object[], by = space) =>
  importCampaigns(app.db, by.id_space, JSON.stringify({ campaigns }), app.clock.now)

describe('GET /campaigns', () => {
  test('returns whole campaigns', async () => {
    await add([{ name: 'Spring', start_date: '2026-03-02T10:00:00+02:00', days: '1,3' }])
    const { status, body } = await space.get('/campaigns')
    expect(status).toBe(200)
    expect(body).toEqual({
      data: [
        {
          status: 'RUNNING',
          id: expect.stringMatching(/^[0-9a-f-]{14}7/),
          name: 'Spring',
          icon: '',
          days: '1,3',
          timezone: 'UTC',
          job_id: '',
          id_email_group: '',
          id_space: space.id_space,
          created_at: app.clock.now.toISOString(),
          updated_at: app.clock.now.toISOString(),
          start_date: '2026-03-02T08:00:00.000Z',
          end_date: null,
          is_deleted: false,
          unsubscribe_link: false,
          stop_sending_after_reply: true,
          track_open_rate: false,
          stop_sending_after_bounce: true,
          start_hour: 9,
          start_min: 0,
          end_hour: 17,
          end_min: 0,
          time_between_send: 0,
          id_email_alias: 0,
        },
      ],
      pagination: { count: 1, page: 1 },
    })
  })

  test('returns nothing in a new workspace, and nothing of another one', async () => {
    const { body } = await (await app.workspace()).get('/campaigns')
    expect(body).toEqual({ data: [], pagination: { count: 0, page: 1 } })
  })

  describe('pages', () => {
    let own: Workspace
    beforeAll(async () => {
      own = await app.workspace()
      const day = (index: number) => new Date(Date.UTC(2026, 0, index + 1)).toISOString()
      const campaigns = Array.from({ length: 53 }, (_, index) => ({
        name: `C${index}`,
        created_at: day(index),
      }))
      await add(campaigns, own)
    })

    test.each([
      ['', 1, 50, 'C52'],
      ['?page=', 1, 50, 'C52'],
      ['?page=true', 1, 50, 'C52'],
      ['?page=false', 1, 50, 'C52'],
      ['?page=0', 1, 50, 'C52'],
      ['?page=1', 1, 50, 'C52'],
      ['?page=2', 2, 3, 'C2'],
      ['?page=3', 3, 0, undefined],
    ])('%s', async (query, page, length, first) => {
      const { body } = await own.get(`/campaigns${query}`)
      expect(body.pagination).toEqual({ count: 53, page })
      expect(body.data).toHaveLength(length)
      expect(body.data[0]?.name).toBe(first)
    })

    test.each(['?page=-1', '?page=1.5', '?page=first', '?page=1&page=2', '?page=9999999999'])(
      '%s is refused',
      async (query) => {
        const { status, body } = await own.get(`/campaigns${query}`)
        expect(status).toBe(400)
        expect(body.issues).toEqual([expect.objectContaining({ path: ['page'] })])
      },
    )

    test('a deleted campaign is neither listed nor counted', async () => {
      await run(
        app.db,
      )`update campaign set is_deleted = true where id_space = ${own.id_space} and name = 'C52'`
      const { body } = await own.get('/campaigns')
      expect([body.data[0].name, body.pagination.count]).toEqual(['C51', 52])
    })
  })
})

describe('GET /campaigns/{id}', () => {
  let own: Workspace
  const steps = [
    { name: 'Hello', subject: 'Hello {{company}}', body: 'A question', delay_days: 0 },
    { name: 'Again', subject: 'Still there?', delay_days: 3 },
  ]
  const counts = (some: object = {}) => ({
    ...{ is_sent: 0, is_delivered: 0, is_opened: 0, is_clicked: 0, is_replied: 0 },
    ...{ is_bounced: 0, is_unsubscribed: 0, ...some },
  })
  beforeAll(async () => {
    own = await app.workspace()
    for (const name of ['ada', 'grace', 'joan'])
      await own.post('/lead', { email: `${name}@x.example` })
    const ofLead = (lead: string, ...status: string[][]) => ({
      lead: `${lead}@x.example`,
      steps: status.map((states, at) => ({ step: steps[at]?.name, status: states })),
    })
    await add(
      [
        {
          name: 'Spring',
          steps,
          leads: [
            ofLead('ada', ['is_sent', 'is_opened'], ['is_sent', 'is_opened', 'is_replied']),
            ofLead('grace', ['is_sent'], ['is_sent', 'is_bounced']),
            ofLead('joan'),
          ],
        },
        { name: 'Other', steps: steps.slice(0, 1), leads: [ofLead('joan', ['is_sent'])] },
        { name: 'Empty' },
      ],
      own,
    )
  })
  const idOf = async (name: string) => {
    const { body } = await own.get('/campaigns')
    return body.data.find((campaign: { name: string }) => campaign.name === name)
  }

  test('has its steps in order, and counts each lead once', async () => {
    const listed = await idOf('Spring')
    const { status, body } = await own.get(`/campaigns/${listed.id}`)
    expect(status).toBe(200)
    expect(body).toEqual({
      ...listed,
      leads: 3,
      ...counts({ is_sent: 2, is_opened: 1, is_replied: 1, is_bounced: 1 }),
      steps: [
        { ...steps[0], id: expect.any(String), ...counts({ is_sent: 2, is_opened: 1 }) },
        {
          ...steps[1],
          id: expect.any(String),
          body: '',
          ...counts({ is_sent: 2, is_opened: 1, is_replied: 1, is_bounced: 1 }),
        },
      ],
    })
  })

  test('the counts are what the filter of leads selects, without deleted leads', async () => {
    const { id } = await idOf('Spring')
    const { body: found } = await own.post('/leads/search', { email: 'ada@x.example' })
    await own.remove(`/lead/${found.id}`)
    const { body } = await own.get(`/campaigns/${id}`)
    for (const step of body.steps) {
      const filter = { sequences_steps: { id: [step.id], status: ['is_opened'] } }
      expect((await own.post('/leads/list', { filter })).body.total).toBe(step.is_opened)
    }
    expect([body.leads, body.is_sent, body.is_opened]).toEqual([2, 1, 0])
  })

  test('the list has the same numbers with results=true, and none without', async () => {
    const { status, body } = await own.get('/campaigns?results=true')
    expect(status).toBe(200)
    expect(body.data).toHaveLength(3)
    for (const listed of body.data) {
      const { steps: _, ...one } = (await own.get(`/campaigns/${listed.id}`)).body
      expect(listed).toEqual(one)
    }
    expect(body.data.map(({ is_sent }: { is_sent: number }) => is_sent).sort()).toEqual([0, 1, 1])
    expect(await idOf('Spring')).not.toHaveProperty('leads')
    expect((await own.get('/campaigns?results=yes')).status).toBe(400)
  })

  test('one without steps and leads has zeros', async () => {
    const { body } = await own.get(`/campaigns/${(await idOf('Empty')).id}`)
    expect(body).toMatchObject({ leads: 0, ...counts(), steps: [] })
  })

  test('one that is deleted, unknown or of another workspace is 404', async () => {
    const { id } = await idOf('Other')
    expect((await space.get(`/campaigns/${id}`)).status).toBe(404)
    await run(app.db)`update campaign set is_deleted = true where id = ${id}`
    expect((await own.get(`/campaigns/${id}`)).status).toBe(404)
    expect((await own.get('/campaigns/none')).status).toBe(404)
  })
})
