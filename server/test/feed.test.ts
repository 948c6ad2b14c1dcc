// Every route that writes leaves an event of what it has done, with who did it. Routes that read leave
// none.
import { eventTypes } from '@rapport/contract'
import type { Route } from '@rapport/contract/route'
import { beforeEach, describe, expect, test } from 'vitest'
import { run } from '../src/db/sql.ts'
import { resources } from '../src/resources/index.ts'
import { withConfirm } from './confirm.ts'
import { writtenEvents } from './events.ts'
import { fillWorkspace } from './fixture.ts'
import { fixtureIds } from './fixture-ids.ts'
import { type Answer, service, type Workspace } from './harness.ts'

/** Writes without an event, and why. */
const withoutEvent = new Map<string, string>([
  ['createKey', 'Keys are in the audit log, which only admins read'],
  ['deleteKey', 'as above'],
  ['createMemberLink', 'as above'],
  ['deleteMemberIdentity', 'as above'],
  ['deleteSession', 'as above'],
  ['deleteMemberSecondFactor', 'as above'],
  ['updateSecondFactorRule', 'as above'],
  ['createWebhook', 'as above'],
  ['updateWebhook', 'as above'],
  ['deleteWebhook', 'as above'],
  ['rotateWebhookSecret', 'as above'],
  ['replayWebhook', 'as above'],
  ['sendMailAgain', 'Mail tells nobody but its reader'],
  ['resumeMail', 'as above'],
  ['sendTestMail', 'as above'],
  ['dismissDuplicates', 'It changes no record'],
  ['undismissDuplicates', 'as above'],
  ['testWebhook', 'It sends a sample, and changes nothing'],
])

const routes = resources.flatMap(({ endpoints }) => endpoints.map(({ route }) => route))
const isWrite = ({ method, role }: Route) => method !== 'GET' && role !== 'read'
const named = (route: Route) => [`${route.method} ${route.path}`, route] as const

const verbs: Record<string, string> = {
  ...{ create: 'created', import: 'created', delete: 'deleted', update: 'updated' },
  ...{ track: 'updated', add: 'updated', move: 'updated', remove: 'updated' },
}

/** Routes whose names do not say what changes: their examples change fields of leads. */
const otherTypes: Record<string, string> = {
  createOperation: 'lead.updated',
  undoOperation: 'lead.updated',
  undoLeadChange: 'lead.updated',
  eraseLeads: 'lead.erased',
  placeLead: 'lead.updated',
  createInvitation: 'member.created',
}

/** The type of event that an operation leaves: addLeadsToList → lead.updated. */
function typeOf({ operationId }: Route): string | undefined {
  if (otherTypes[operationId]) return otherTypes[operationId]
  const [, verb = '', what = ''] = /^([a-z]+)(.*)$/.exec(operationId) ?? []
  return eventTypes.find((type) => {
    const [record = '', done] = type.split('.')
    return what.toLowerCase().startsWith(record) && done === verbs[verb]
  })
}

const app = service()
let space: Workspace
let key: string
beforeEach(async () => {
  space = await app.workspace()
  await fillWorkspace(app.db, space)
  const rows = await run<{ id: string }[]>(
    app.db,
  )`select id from api_key where id_space = ${space.id_space} and kind = 'key' and id <> ${fixtureIds.key}`
  key = rows[0]?.id ?? ''
})

async function sendExample({ method, path, accepts, person, example }: Route): Promise<Answer> {
  const { id = '', body, query = {} } = example
  const values = Object.entries(query).map(([name, value]): [string, string] => [
    name,
    String(value),
  ])
  const url = `${path.replace('{id}', id)}?${new URLSearchParams(values)}`
  const caller = person ? await app.person(space) : space
  return caller.call(method, url, await withConfirm(space, path, body), accepts?.[0])
}

/** What was written since the fixture, whose events have another way. */
const written = async () =>
  (await writtenEvents(app.db, space)).filter(({ id_key, way }) => id_key === key || way === 'web')

/** Examples that would find everything as they want it. */
const before: Record<string, () => PromiseLike<unknown>> = {
  trackLeads: () =>
    run(app.db)`update lead set is_tracked = false where id_space = ${space.id_space}`,
  placeLead: () => run(app.db)`delete from lead_status where id_space = ${space.id_space}`,
  addLeadsToList: () => run(app.db)`delete from lead_list where id_space = ${space.id_space}`,
}

describe.each(routes.filter(isWrite).map(named))('%s', (_name, route) => {
  test('leaves an event of what it did', async () => {
    await before[route.operationId]?.()
    const answer = await sendExample(route)
    expect(answer).toMatchObject({ status: 200 })
    const events = await written()
    if (withoutEvent.has(route.operationId)) {
      return expect(events).toEqual([])
    }
    expect(events.map(({ type }) => type)).toContain(typeOf(route))
    for (const event of events) {
      expect(event).toMatchObject({
        at: app.clock.now.toISOString(),
        id_member: space.owner,
        ...(route.person
          ? { id_key: expect.any(String), way: 'web' }
          : { id_key: key, way: route.accepts ? 'import' : 'api' }),
        request_id: answer.headers.get('x-request-id'),
      })
      expect(event.ids).not.toEqual([])
      expect(event.ids.length).toBeLessThanOrEqual(500)
    }
  })
})

test.each(routes.filter((route) => !isWrite(route)).map(named))(
  '%s leaves no event',
  async (_name, route) => {
    expect(await sendExample(route)).toMatchObject({ status: 200 })
    expect(await written()).toEqual([])
  },
)

test('a request that is repeated with its Idempotency-Key leaves no second event', async () => {
  const send = () =>
    app.request('/rest/tags', {
      method: 'POST',
      headers: {
        ...{ 'X-API-KEY': space.key, 'Idempotency-Key': 'one' },
        'Content-Type': 'application/json',
      },
      body: JSON.stringify({ name: 'Warm' }),
    })
  await send()
  expect((await send()).headers.get('idempotency-replayed')).toBe('true')
  expect(await written()).toMatchObject([{ type: 'tag.created' }])
})

test('the list of writes without an event names routes that there are', () => {
  const known = new Set(routes.filter(isWrite).map(({ operationId }) => operationId))
  expect([...withoutEvent.keys()].filter((id) => !known.has(id))).toEqual([])
})
