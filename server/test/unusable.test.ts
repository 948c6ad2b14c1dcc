// Settings that lead to no usable database: one line that says what is wrong, soon.

import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { connect as connectSocket, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { createSecureContext, TLSSocket } from 'node:tls'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { connect, type Pool } from '../src/db/driver.ts'
import { run } from '../src/db/sql.ts'
import { openEngine } from '../src/engine/engine.ts'
import { newId } from '../src/ids.ts'
import { inDatabase } from './database.ts'
import { emptyDatabases, environmentFor } from './empty-databases.ts'
import { freePort } from './free-port.ts'
import { program, serving } from './running-program.ts'
import { certificate, certificateFile } from './smtp.ts'

const box = program()
const databases = emptyDatabases()
const cleanUp: (() => unknown)[] = []
afterAll(async () => {
  for (const clean of cleanUp) await clean()
})

/** The address of something that is no PostgreSQL. */
async function address(server: Server): Promise<string> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
  })
  cleanUp.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return `postgres://me:secret@127.0.0.1:${port}/rapport`
}

const silent = () => address(createServer())

/** Between a client and the server of this pool. */
function lead(client: Duplex, { options: { path, host, port } }: Pool): void {
  const to = path ? connectSocket(path) : connectSocket(port[0] as number, host[0])
  for (const socket of [client, to]) socket.on('error', () => {})
  client.on('close', () => to.destroy())
  client.pipe(to).pipe(client)
}

/** What a command prints that ends with status 1 and one line. */
async function refusal(args: string[], environment: Record<string, string>): Promise<string> {
  const { code, stdout, stderr } = await box.run(args, environment)
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(/^[^\n]+\n$/)
  expect(stderr).not.toContain('secret')
  return stderr
}

// Most of them wait, so they wait together.
describe.concurrent('DATABASE_URL', () => {
  test('a server that says nothing: what is waited for is said, then what is wrong', async () => {
    const url = await silent()
    const place = new URL(url).host
    const starting = box.launch(['serve'], { DATABASE_URL: url, DATABASE_WAIT: '1s' })
    expect(await starting.ended).toBe(1)
    expect(starting.output.split('\n')).toEqual([
      // On a busy machine it is said before the connection is known.
      expect.stringMatching(`^Waiting for the PostgreSQL server at ${place} \\(.*\\)…$`),
      expect.stringMatching(
        `^Cannot reach the database: ${place} .*connection accepted, no response.*DATABASE_URL`,
      ),
      '',
    ])
  })

  test.each([[['serve']], [['spaces', 'list']], [['backup', 'a.backup']]])(
    'Ctrl-C while %j waits for a server that says nothing',
    async (args) => {
      const starting = box.launch(args, { DATABASE_URL: await silent() })
      await starting.says(/^Waiting for the PostgreSQL server/m)
      starting.child.kill('SIGINT')
      await starting.ended
      // It would end by itself with the reason.
      expect(starting.output).toMatch(/^Waiting[^\n]*…\nStopped\.\n$/)
    },
  )

  test('Ctrl-C while restore waits for a server that says nothing', async () => {
    const file = join(box.dataDir, 'whole.backup')
    await box.run(['migrate'])
    await box.run(['backup', file])
    const restoring = box.launch(['restore', file], { DATABASE_URL: await silent() })
    await restoring.says(/^Waiting for the PostgreSQL server/m)
    restoring.child.kill('SIGINT')
    await restoring.ended
    expect(restoring.output).toContain('Stopped. Nothing was restored.')
  })

  test('an HTTP server', async () => {
    const url = await address(createHttpServer())
    const said = await refusal(['serve'], { DATABASE_URL: url })
    expect(said).toMatch(/no PostgreSQL server at 127\.0\.0\.1:\d+: .*"HTTP\/1\.1 400/)
  })

  test('an SSH server, whose first letter is one that PostgreSQL could send', async () => {
    const url = await address(createServer((socket) => socket.write('SSH-2.0-OpenSSH_9.6\r\n')))
    const said = await refusal(['spaces', 'list'], { DATABASE_URL: url })
    expect(said).toMatch(/no PostgreSQL server at .*"SSH-2\.0/)
  })

  test('a server that hangs up at once', async () => {
    const url = await address(createServer((socket) => socket.destroy()))
    expect(await refusal(['serve'], { DATABASE_URL: url })).toMatch(
      /no PostgreSQL server at .* closed the connection/,
    )
  })

  test('a proxy in front of nothing: a first answer, and then no session', async () => {
    const proxy = createServer((socket) => socket.once('data', () => socket.write('N')))
    const starting = box.launch(['spaces', 'list'], { DATABASE_URL: await address(proxy) })
    expect(await starting.ended).toBe(1)
    expect(starting.output).toMatch(/^Waiting for the PostgreSQL server at .*no session/)
    expect(starting.output).toMatch(/^Cannot reach the database: .*no session/m)
  })

  test('a server without TLS, which the URL asks for', async () => {
    const proxy = createServer((socket) => socket.once('data', () => socket.write('N')))
    const url = `${await address(proxy)}?sslmode=require`
    expect(await refusal(['serve'], { DATABASE_URL: url })).toMatch(/has no TLS.*sslmode/)
  })

  test('a certificate is compared with the host and the authority, as sslmode says', async () => {
    const { pool } = await databases.create()
    const proxy = createServer((client) =>
      client.once('data', () => {
        client.write('S')
        const secureContext = createSecureContext({ key: certificate, cert: certificate })
        lead(new TLSSocket(client, { isServer: true, secureContext }), pool)
      }),
    )
    const { port } = new URL(await address(proxy))
    const { user, pass, database } = pool.options
    // The certificate is one for 127.0.0.1 and localhost.
    const answer = async (query: string, host = '127.0.0.1') => {
      const url = `postgres://${user}:${pass}@${host}:${port}/${database}?${query}`
      const client = connect({ url }, { max: 1 })
      const [row] = await run<{ one: number }[]>(client)`select 1 as one`.catch((e) => [e])
      client.end({ timeout: 0 }).catch(() => {})
      return row.one ?? row.code
    }
    const own = `sslrootcert=${certificateFile}`
    expect(await answer('sslmode=require')).toBe(1)
    expect(await answer('sslmode=verify-full')).toBe('DEPTH_ZERO_SELF_SIGNED_CERT')
    expect(await answer('sslmode=verify-ca')).toBe('DEPTH_ZERO_SELF_SIGNED_CERT')
    expect(await answer(`sslmode=verify-full&${own}`)).toBe(1)
    expect(await answer(own, 'localhost')).toBe(1)
    expect(await answer(own, '0.0.0.0')).toBe('ERR_TLS_CERT_ALTNAME_INVALID')
    expect(await answer(`sslmode=verify-ca&${own}`, '0.0.0.0')).toBe(1)
  })

  test('a port on which nothing listens, on a name with several addresses', async () => {
    const url = 'postgres://me:secret@localhost:1/none'
    for (const args of [['serve'], ['spaces', 'list']]) {
      const said = await refusal(args, { DATABASE_URL: url, DATABASE_WAIT: '1s' })
      expect(said).toMatch(/^Cannot reach the database: .*ECONNREFUSED/)
    }
  })

  test('a start waits for a server that is not there yet, and finds the one that is', async () => {
    const port = await freePort()
    const { environment, pool } = await databases.create()
    const { user, pass, database } = pool.options
    const url = `postgres://${user}:${pass}@127.0.0.1:1,127.0.0.1:${port}/${database}`
    const starting = box.launch(['serve'], { ...environment, DATABASE_URL: url })
    await starting.says(/^Waiting for the PostgreSQL server at 127.0.0.1:1, .*ECONNREFUSED/m)
    const proxy = createServer((client) => lead(client, pool))
    cleanUp.push(() => proxy.close())
    await new Promise<void>((resolve) => proxy.listen(port, '127.0.0.1', resolve))
    const { url: service } = await serving(starting)
    expect((await fetch(`${service}/readyz`)).status).toBe(200)
    expect(starting.output).not.toContain('Warning')
    starting.child.kill('SIGINT')
    expect(await starting.ended).toBe(0)
  })

  test('a host that says nothing does not hold up the others, nor the stop', async () => {
    const { environment, pool } = await databases.create()
    const { user, pass, database } = pool.options
    const proxy = createServer((client) => lead(client, pool))
    const places = [await silent(), await address(proxy)].map((url) => new URL(url).host)
    const DATABASE_URL = `postgres://${user}:${pass}@${places.join(',')}/${database}`
    const server = await serving(box.launch(['serve'], { ...environment, DATABASE_URL }))
    server.child.kill('SIGINT')
    // After 15 seconds it would be the signal.
    expect(await server.ended).toBe(0)
  })

  test('a pooler that refuses settings', async () => {
    const refused = Buffer.from('E....C08P01\0Munsupported startup parameter: jit\0\0')
    refused.writeInt32BE(refused.length - 1, 1)
    const pooler = createServer((socket) =>
      socket.on('data', ({ length }) => socket.write(length === 8 ? 'N' : refused)),
    )
    const said = await refusal(['spaces', 'list'], { DATABASE_URL: await address(pooler) })
    expect(said).toMatch(/^The connection pooler at .*: jit.*ignore_startup_parameters/)
  })

  test('a pooler that works by transaction', async () => {
    const { name, pool, environment } = await databases.create()
    // Two sessions at the same time look like one, as behind such a pooler.
    await run(pool)`create function pg_backend_pid() returns int language sql as 'select 7'`
    await pool.unsafe(`alter database ${name} set search_path = public, pg_catalog`)
    expect(await refusal(['serve'], environment)).toMatch(/pooler.*transaction.*pool_mode=session/)
  })

  test.each(['SQL_ASCII', 'LATIN1'])('a database in %s', async (encoding) => {
    const name = `rapport_encoding_${newId().replaceAll('-', '')}`
    const admin = connect(inject('server'), { max: 1 })
    await admin.unsafe(
      `create database ${name} template template0 encoding '${encoding}' locale_provider libc locale 'C'`,
    )
    cleanUp.push(async () => {
      await admin.unsafe(`drop database ${name}`)
      await admin.end()
    })
    for (const args of [['serve'], ['backup', join(box.dataDir, 'none.backup')]]) {
      const said = await refusal(args, environmentFor(inDatabase(inject('server'), name)))
      expect(said).toMatch(
        new RegExp(
          `^The database ${name} has the encoding ${encoding}.*UTF-8.*createdb --encoding=UTF8`,
        ),
      )
    }
  })

  test('a server older than 15', async () => {
    const { name, pool, environment } = await databases.create()
    // A server that says it is older.
    await run(pool)`
      create function current_setting(name text) returns text language sql as $$
        select case name when 'server_version_num' then '140011' when 'server_version' then '14.11'
          else pg_catalog.current_setting(name) end $$`
    await pool.unsafe(`alter database ${name} set search_path = public, pg_catalog`)
    expect(await refusal(['serve'], environment)).toBe(
      'Rapport needs PostgreSQL 15 or newer; this server is 14.11.\n',
    )
  })

  test('a server that only reads', async () => {
    const { name, pool, environment } = await databases.create()
    await pool.unsafe(`alter database ${name} set default_transaction_read_only = on`)
    expect(await refusal(['serve'], environment)).toMatch(/read-only.*primary/)
  })

  test.each([
    ['tables', ''],
    ['extensions', 'grant create on schema public to'],
  ])('an account that may not create %s', async (_, rights) => {
    const engine = await openEngine({ dataDir: box.dataDir, log: () => {} })
    const admin = connect(engine.connections.superuser, { max: 1 })
    const account = `poor_${newId().replaceAll('-', '')}`
    await admin.unsafe(`create role ${account} login`)
    if (rights) await admin.unsafe(`${rights} ${account}`)
    const target = { ...engine.connections.superuser, username: account }
    const said = await refusal(['serve'], environmentFor(target))
    await admin.unsafe(`drop owned by ${account} cascade; drop role ${account}`)
    await admin.end()
    await engine.leave()
    expect(said).toMatch(/permission denied.*owner/)
  })
})

describe('DATA_DIR', () => {
  test.each([
    ['below /proc, where nothing can be made', () => '/proc/zz'],
    ['below a link that leads nowhere', () => join(box.dataDir, 'dangling', 'data')],
    ['a file', () => join(box.dataDir, 'file')],
    ['below a file', () => join(box.dataDir, 'file', 'data')],
  ])('%s', async (_, folder) => {
    await mkdir(box.dataDir, { recursive: true })
    await symlink('/nonexistent/away', join(box.dataDir, 'dangling')).catch(() => {})
    await writeFile(join(box.dataDir, 'file'), '')
    const said = await refusal(['serve'], { DATA_DIR: folder() })
    expect(said).toContain(folder())
    expect(said).toContain('Set DATA_DIR to')
  })

  test('BACKUP_DIR below /proc is told too', async () => {
    const server = await box.start({ BACKUP_DIR: '/proc/zz', BACKUP_EVERY: '1m' })
    await server.says(/[Bb]ackup.*\/proc\/zz/)
    server.child.kill('SIGINT')
    expect(await server.ended).toBe(0)
  })
})
