// `events tail` and `audit` as people use them: real processes, with and without a running server.
import { beforeAll, expect, test } from 'vitest'
import { program, type Serving } from './running-program.ts'

const box = program()
const key = 'a-key-of-my-own-choice'
let server: Serving
beforeAll(async () => {
  server = await box.start({ RAPPORT_API_KEY: key })
})

/** A line of `events tail --json`, when it has this many. */
async function lines(
  running: { output: string; says(pattern: RegExp): Promise<unknown> },
  count: number,
) {
  await running.says(new RegExp(`(^\\{.*\\n[^]*){${count}}`, 'm'))
  return running.output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
}

test('events tail follows a running server, as JSON and for people, and ends with Ctrl-C', async () => {
  const send = async (method: string, path: string, body: object): Promise<{ id: string }> =>
    (
      await fetch(`${server.url}/rest${path}`, {
        method,
        headers: { 'X-API-KEY': key, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      })
    ).json() as Promise<{ id: string }>
  const { id } = await send('POST', '/tags', { name: 'Warm', color: 'red' })
  const json = box.launch(['events', 'tail', '--after', 'start', '--types', 'tag.*', '--json'])
  const [first] = await lines(json, 1)
  expect(first).toMatchObject({ seq: expect.any(Number), type: 'tag.created', ids: [id] })
  const pretty = box.launch(['events', 'tail', '--after', first.cursor])
  await send('PATCH', `/tags/${id}`, { name: 'Hot\u001b[31m\nand more' })
  expect(await lines(json, 2)).toMatchObject([
    {},
    { changed: { name: ['Warm', expect.anything()] } },
  ])
  await pretty.says(
    /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}Owner {2}changed 1 tag {2}name: Warm → Hot \[31m and more$/m,
  )
  for (const running of [json, pretty]) {
    running.child.kill('SIGINT')
    expect(await running.ended).toBe(0)
  }
})

test('audit shows keys, members and exports', async () => {
  await box.run(['members', 'add', '--email', 'ada@example.com', '--name', 'Ada'])
  await box.run(['members', 'change', '--member', 'ada@example.com', '--role', 'admin'])
  await box.run(['keys', 'create', '--name', 'Backups', '--role', 'read'])
  await box.run(['keys', 'replace', 'Backups'])
  await box.run(['keys', 'revoke', 'Backups'])
  await box.run(['keys', 'revoke', 'Backups'])
  await box.run(['members', 'remove', '--member', 'ada@example.com', '--yes'])
  await box.run(['export', 'leads', '--output', `${box.dataDir}/leads.csv`])
  const { stdout } = await box.run(['audit', '--json'])
  const entries = JSON.parse(stdout).reverse()
  expect(entries.map(({ action }: { action: string }) => action)).toEqual([
    'member.created',
    'member.updated',
    'key.created',
    'key.revoked',
    'key.created',
    'key.revoked',
    'member.deleted',
    'leads.exported',
  ])
  expect(entries).toMatchObject([
    { actor: { way: 'command' }, about: { email: 'ada@example.com', role: 'write' } },
    { about: { role: 'admin' } },
    { about: { name: 'Backups', role: 'read', hint: expect.stringContaining('…') } },
    {},
    {},
    {},
    { about: { email: 'ada@example.com' } },
    { about: { count: 0, filter: {}, format: 'csv' } },
  ])
  const table = await box.run(['audit', '--limit', '1'])
  expect(table.stdout).toMatch(/^at +who +action +about\n.* the command line +leads\.exported +\{/)
})

test('events tail works without a server, and says what is wrong with its options', async () => {
  server.child.kill('SIGINT')
  expect(await server.ended).toBe(0)
  const alone = box.launch(['events', 'tail', '--after', 'start', '--types', 'tag.*', '--json'])
  expect(await lines(alone, 2)).toMatchObject([{ type: 'tag.created' }, { type: 'tag.updated' }])
  alone.child.kill('SIGINT')
  expect(await alone.ended).toBe(0)
  expect(await box.run(['events', 'tail', '--types', 'leads'])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/--types: Unknown type leads\. Must be one of /),
  })
  expect(await box.run(['events', 'tail', '--after', '12345678.1'])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/--after: .* continue from [0-9a-f]{8}\.\d+\.\n$/),
  })
  expect(await box.run(['events', 'tails'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Did you mean tail?'),
  })
})
