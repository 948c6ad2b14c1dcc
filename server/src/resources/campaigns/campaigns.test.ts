import { beforeAll, describe, expect, test } from 'vitest'
import { service, type Workspace } from '../../../test/harness.ts'
import { run, sql } from '../../db/sql.ts'
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
        sql`update campaign set is_deleted = true where id_space = ${own.id_space} and name = 'C52'`,
      )
      const { body } = await own.get('/campaigns')
      expect([body.data[0].name, body.pagination.count]).toEqual(['C51', 52])
    })
  })
})
