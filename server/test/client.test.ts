// The client against the service: leads page by page, a change and its undo, the feed over a restart.
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import {
  ConflictError,
  type FeedEvent,
  ForbiddenError,
  GoneError,
  Rapport,
  UnauthorizedError,
  verifyWebhook,
  WebhookError,
} from '@rapport/client'
import { Webhook } from 'standardwebhooks'
import { expect, onTestFinished, test } from 'vitest'
import { run } from '../src/db/sql.ts'
import { pruneEvents } from '../src/feed/prune.ts'
import { timeLimits } from '../src/http/limits.ts'
import { root } from '../src/root.ts'
import { service } from './harness.ts'

const app = service({ limits: { ...timeLimits, lookMs: 50 } })

const clientOf = ({ key }: { key: string }) => new Rapport({ url: app.url, key })

async function collected<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

test('leads are created, listed page by page, changed by preview, and changed back', async () => {
  const rapport = clientOf(await app.workspace())
  const names = Array.from({ length: 7 }, (_none, index) => `Lead ${index}`)
  for (const first_name of names) await rapport.leads.create({ first_name, city: 'Bern' })
  const query = { orderBy: [{ field: 'id' }], pagination: { page_size: 3 } }

  const first = await rapport.leads.list(query)
  expect(first.total).toBe(7)
  expect(first.leads.map(({ first_name }) => first_name)).toEqual(names.slice(0, 3))
  const all = await collected(rapport.leads.list(query))
  expect(all.map(({ first_name }) => first_name)).toEqual(names)
  expect(all[0]?.tags).toEqual([])
  const ids = await collected(rapport.leads.list({ id_only: true }))
  expect(ids.map(({ id }) => id).sort()).toEqual(all.map(({ id }) => id).sort())
  const pages = await collected(rapport.leads.list(query).pages())
  expect(pages.map(({ leads }) => leads.length)).toEqual([3, 3, 1])

  const filter = { search: 'Lead' }
  const change = await rapport.leads.preview('update', { filter, data: { city: 'Paris' } })
  expect(change).toMatchObject({ count: 7, changed: 7 })
  const done = await change.apply()
  expect(done).toMatchObject({ state: 'done', changed: 7 })
  expect((await rapport.leads.get(ids[0]?.id ?? '')).city).toBe('Paris')
  const undo = await done.undo()
  expect(undo).toMatchObject({ kind: 'undo', undo_of: done.id, undone: 7 })
  expect((await rapport.leads.get(ids[0]?.id ?? '')).city).toBe('Bern')
  await expect(done.undo()).rejects.toBeInstanceOf(ConflictError)
  // The other lists with a cursor have all pages too.
  expect((await collected(rapport.operations.list({ limit: 1 }))).map(({ id }) => id)).toEqual([
    undo.id,
    done.id,
  ])

  const late = await rapport.leads.preview('delete', { filter })
  await rapport.leads.create({ first_name: 'Lead 8' })
  const refused = await late.apply().catch((error) => error)
  expect(refused).toBeInstanceOf(ConflictError)
  expect(refused.body.preview).toMatchObject({ kind: 'delete', count: 8 })

  let etag = ''
  const onResponse = ({ headers }: Response) => {
    etag = headers.get('etag') ?? ''
  }
  const id = ids[0]?.id ?? ''
  await rapport.leads.get(id, { onResponse })
  await rapport.leads.update(id, { city: 'Rome' }, { headers: { 'If-Match': etag } })
  await expect(
    rapport.leads.update(id, { city: 'Oslo' }, { headers: { 'If-Match': etag } }),
  ).rejects.toMatchObject({ name: 'PreconditionFailedError', status: 412 })

  const csv = await (await rapport.transfer.export({ filter, format: 'csv' })).text()
  expect(csv).toContain('Lead 8')
  const file = new Blob(['First name,E-mail\nGrace,grace@navy.example\n'])
  expect(await rapport.transfer.import(file, { dry_run: 'true' })).toMatchObject({ created: 1 })
})

test('the feed goes on after a restart, and tells a pruned place from a revoked key', async () => {
  const space = await app.workspace()
  const key = await app.key(space, 'read')
  let { url, app: served } = await app.another()
  const { port } = new URL(url)
  const seen: FeedEvent[] = []
  const leaving = new AbortController()
  let tries = 0
  const counted: typeof fetch = (...request) => {
    tries++
    return fetch(...request)
  }
  const follow = async (after: string, signal?: AbortSignal) => {
    const types = ['tag.*', 'list.*'] as const
    const rapport = new Rapport({ url, key, fetch: counted })
    for await (const event of rapport.events({ after, types, signal })) {
      seen.push(event)
    }
  }
  const write = (name: string) => clientOf(space).tags.create({ name })
  const following = follow('start', leaving.signal).catch((error) => error)
  await write('one')
  await expect.poll(() => seen.length).toBe(1)
  await served.close()
  await write('two')
  // It is down until the client has tried in vain.
  const before = tries
  await expect.poll(() => tries).toBeGreaterThan(before + 1)
  ;({ url, app: served } = await app.another(Number(port)))
  await expect.poll(() => seen.length).toBe(2)
  // For JavaScript these end a line, for the stream they do not.
  await write('three\u2028\u2029')
  await expect.poll(() => seen.length).toBe(3)
  expect(seen.map(({ type, changed }) => [type, changed.name])).toEqual(
    ['one', 'two', 'three\u2028\u2029'].map((name) => ['tag.created', [null, name]]),
  )
  const stopped = new Error('enough')
  leaving.abort(stopped)
  expect(await following).toBe(stopped)

  // From where it was, then again after the events behind that place were deleted.
  const [first] = seen.splice(0)
  const resumed = follow(first?.cursor ?? '').catch((error) => error)
  await expect.poll(() => seen.length).toBe(2)
  await pruneEvents(app.db, new Date(app.clock.now.getTime() + 1), new AbortController().signal)
  const gone = await follow(first?.cursor ?? '').catch((error) => error)
  expect(gone).toBeInstanceOf(GoneError)
  expect(gone.start).toMatch(/\.\d+$/)

  await run(
    app.db,
  )`update api_key set revoked_at = now() where id_space = ${space.id_space} and role = 'read'`
  app.clock.advance(5_000)
  const revoked = await resumed
  expect(revoked).toBeInstanceOf(UnauthorizedError)
  expect(revoked).not.toBeInstanceOf(GoneError)
  await served.close()
})

test('a key without the role is told so; a webhook is read only with its signature', async () => {
  const space = await app.workspace()
  const reader = clientOf({ key: await app.key(space, 'read') })
  await expect(reader.tags.create({ name: 'a' })).rejects.toBeInstanceOf(ForbiddenError)

  const secret = `whsec_${Buffer.from('a secret of a webhook').toString('base64')}`
  const body = JSON.stringify({ seq: 1, type: 'lead.created', changed: { city: [null, 'Zürich'] } })
  const now = new Date()
  const headersAt = (at: Date, signed = secret) => ({
    'Webhook-Id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(signed).sign('msg_1', at, body),
  })
  const headers = headersAt(now)
  expect(await verifyWebhook(body, headers, secret)).toEqual(JSON.parse(body))
  const bytes = new TextEncoder().encode(body)
  expect(await verifyWebhook(bytes, new Headers(headers), secret)).toMatchObject({ seq: 1 })
  const two = `v1,AAAA v2,x ${headers['webhook-signature']}`
  await verifyWebhook(body, { ...headers, 'webhook-signature': two }, secret)
  const other = `whsec_${Buffer.from('another').toString('base64')}`
  const wrong = [
    [`${body} `, headers],
    [body, headersAt(now, other)],
    [body, headersAt(new Date(now.getTime() - 301_000))],
    [body, { ...headers, 'webhook-timestamp': 'soon' }],
    [body, {}],
  ] as const
  for (const [text, sent] of wrong) {
    await expect(verifyWebhook(text, sent, secret)).rejects.toBeInstanceOf(WebhookError)
  }
})

const inProject = (path: string) => fileURLToPath(new URL(path, root))
const execute = promisify(execFile)

/** The code of a document, for this service. */
const codeIn = async (document: string) => {
  const text = await readFile(inProject(document), 'utf8')
  const code = [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code).join('\n')
  return code.replace('http://127.0.0.1:3000', app.url)
}

test('the package is small, needs nothing, and works where it is installed, with its types', async () => {
  const made = inProject('client/dist/package')
  const code = await readFile(join(made, 'index.js'))
  expect(gzipSync(code).length).toBeLessThanOrEqual(8 * 1024)
  for (const file of await readdir(made)) {
    if (!/\.(js|d\.ts)$/.test(file)) continue
    const text = await readFile(join(made, file), 'utf8')
    expect(text.match(/(?<=^(import|export)\b.*from )["'][^.].*/gm), file).toBeNull()
  }

  const folder = await mkdtemp(join(tmpdir(), 'rapport client ü '))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const npm = (cwd: string, ...args: string[]) => execute('npm', [...args, '--json'], { cwd })
  const packed = await npm(made, 'pack', '--pack-destination', folder)
  const [{ filename, files }] = JSON.parse(packed.stdout)
  expect(files.map(({ path }: { path: string }) => path)).not.toContain('.built')
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  await npm(folder, 'install', '--offline', '--no-audit', '--no-fund', `./${filename}`)
  expect(await readdir(join(folder, 'node_modules/@rapport'))).toEqual(['client'])

  // Everything that the documents show is right, and the types of the package are those of the contract.
  const compilerOptions = {
    ...{ strict: true, exactOptionalPropertyTypes: true, module: 'NodeNext' },
    ...{ target: 'ES2023', lib: ['ES2023', 'DOM', 'DOM.Iterable'], types: [] },
  }
  const tsc = (...args: string[]) =>
    execute(process.execPath, [inProject('node_modules/typescript/bin/tsc'), ...args]).catch(
      ({ stdout }) => expect.fail(stdout),
    )
  const declared = 'declare const process: { env: Record<string, string | undefined> }'
  await writeFile(join(folder, 'process.d.ts'), declared)
  await writeFile(join(folder, 'document.ts'), await codeIn('docs/CLIENT.md'))
  await writeFile(join(folder, 'readme.ts'), await codeIn('client/README.md'))
  const config = { compilerOptions, include: ['*.ts'] }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config))
  const same = {
    compilerOptions: {
      ...compilerOptions,
      ...{
        exactOptionalPropertyTypes: false,
        noEmit: true,
        skipLibCheck: true,
        allowImportingTsExtensions: true,
      },
    },
    files: [inProject('client/same-types.ts')],
  }
  await writeFile(join(folder, 'same.json'), JSON.stringify(same))
  await Promise.all([tsc('-p', folder), tsc('-p', join(folder, 'same.json'))])

  // They also work, one after the other.
  const start = (file: string, { key }: { key: string }) => {
    const env = { PATH: process.env.PATH, RAPPORT_KEY: key }
    return execute(process.execPath, [file], { cwd: folder, env })
  }
  const { stdout: said } = await start('document.js', await app.workspace())
  expect(said).toContain('contract_amount Must be a number')

  // The quick start, until it has seen that a lead was deleted.
  const space = await app.workspace()
  let isRunning = true
  const running = start('readme.js', space).finally(() => {
    isRunning = false
  })
  const rapport = clientOf(space)
  const removeOne = async () => {
    await rapport.leads.remove((await rapport.leads.create()).id)
    return isRunning
  }
  await expect.poll(removeOne, { timeout: 300_000 }).toBe(false)
  const { stdout } = await running
  expect(stdout).toMatch(/^Ada ada@example.com\n1 of 1 leads will change\n(.*\n)*lead\.deleted/)
})
