// The command line as people use it: workspaces by name, members by email, lost keys, removals.
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startSession } from '../src/access/sessions.ts'
import { connect, type Pool } from '../src/db/driver.ts'
import { run as query, rowValues, sql } from '../src/db/sql.ts'
import { openEngine } from '../src/engine/engine.ts'
import { fillFolder } from './data-folder.ts'
import { writtenEvents } from './events.ts'
import { freePort } from './free-port.ts'
import { program as script } from './program.ts'
import { program, projectFolder, type Serving } from './running-program.ts'
import { startSmtp } from './smtp.ts'

const box = program()
const { run } = box
let server: Serving
let pool: Pool
let close: () => Promise<void>

beforeAll(async () => {
  server = await box.start()
  const engine = await openEngine({ dataDir: box.dataDir, log: () => {} })
  pool = connect(engine.connections.service, { max: 2 })
  close = async () => {
    await pool.end()
    await engine.leave()
  }
})
afterAll(async () => {
  await close()
  server.child.kill('SIGINT')
  await server.ended
})

/** A command that works, and its JSON. */
async function json(...args: string[]) {
  const { code, stdout, stderr } = await run([...args, '--json'])
  expect([code, stderr.replace(/^(Workspace|Member): .*\n/gm, '')]).toEqual([0, ''])
  return JSON.parse(stdout)
}

const me = (key: string) =>
  fetch(`${server.url}/rest/me`, { headers: { 'X-API-KEY': key } }).then((answer) => answer.status)

let last = 0
const newName = () => `Team ${++last}`
const newSpace = (name = newName()) =>
  json('spaces', 'create', '--name', name, '--owner', 'lea@example.com', '--empty')

/** The command of the last line that says what to type, run as a shell reads it. */
async function paste(text: string) {
  const command = /(?:DATA_DIR=.*|^ *)npm run rapport -- .*$/m.exec(text)?.[0] ?? ''
  const npm = `npm() { printf '%s\\0' "$DATA_DIR" "$@"; }`
  const read = await promisify(execFile)('sh', ['-c', `${npm}; ${command}`])
  const [DATA_DIR, ...words] = read.stdout.split('\0').slice(0, -1)
  expect(words.slice(0, 3)).toEqual(['run', 'rapport', '--'])
  return run(words.slice(3), { DATA_DIR })
}

describe('which workspace', () => {
  test('the newest one without --space, and it is said', async () => {
    const { name } = await newSpace()
    const { code, stdout, stderr } = await run(['members', 'list'])
    expect([code, stderr]).toEqual([
      0,
      expect.stringMatching(`^Workspace: ${name} \\(the newest of \\d+\\)\n$`),
    ])
    expect(stdout).toContain('lea@example.com')
    const demo = await json('demo', '--leads', '1')
    const after = await run(['members', 'list'])
    expect(after.stderr).toContain(`Workspace: ${demo.workspace} (the newest`)
  })

  test('--space takes a name, in any case, or an id', async () => {
    const { name, id_space } = await newSpace()
    await newSpace()
    for (const given of [name, name.toUpperCase(), ` ${name} `, id_space, id_space.toUpperCase()]) {
      const { stdout, stderr } = await run(['members', 'list', '--space', given, '--json'])
      expect(stderr).toBe('')
      expect(JSON.parse(stdout)).toMatchObject([{ id_space }])
    }
  })

  test('an unknown name is refused with the nearest one and a command that works', async () => {
    await newSpace('Northern lights')
    const { code, stderr } = await run(['export', 'leads', '--space', 'Northen lights'])
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(
        /^No workspace "Northen lights"\. Did you mean "Northern lights"\? See: DATA_DIR=.*npm run rapport -- spaces list\n$/,
      ),
    ])
    expect(await paste(stderr)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Northern lights'),
    })
  })

  test('of several with one name, none is chosen: their ids are listed', async () => {
    const one = await newSpace()
    const two = await newSpace()
    await query(
      pool,
      sql`update space set name = 'Twins' where id_space in (${one.id_space}, ${two.id_space})`,
    )
    const { code, stderr } = await run(['members', 'list', '--space', 'twins'])
    expect(code).toBe(1)
    expect(stderr).toContain('2 workspaces are named "twins". Choose one by id with --space:')
    expect(stderr).toContain(one.id_space)
    expect(stderr).toContain(two.id_space)
  })

  test('two workspaces cannot get one name', async () => {
    const { name } = await newSpace()
    const { name: other } = await newSpace()
    for (const args of [
      ['create', '--name', ` ${name.toLowerCase()}`, '--owner', 'a@example.com'],
      ['change', '--space', other, '--name', name],
    ]) {
      const { code, stderr } = await run(['spaces', ...args])
      expect([code, stderr]).toEqual([
        1,
        expect.stringContaining(`A workspace "${name}" already exists`),
      ])
    }
  })
})

describe('workspaces', () => {
  test('get another name and time zone', async () => {
    const { name, id_space } = await newSpace()
    const changed = await json(
      ...['spaces', 'change', '--space', name],
      '--name',
      'South',
      '--time-zone',
      'Europe/Paris',
    )
    expect(changed).toMatchObject({ id_space, name: 'South', time_zone: 'Europe/Paris' })
    // Its own name in another case is not a double.
    expect(await json('spaces', 'change', '--space', 'South', '--name', 'SOUTH')).toMatchObject({
      name: 'SOUTH',
    })
    const events = await writtenEvents(pool, { id_space }, 'workspace.updated')
    expect(events).toMatchObject([
      {
        ...{ ids: [id_space], way: 'command', id_member: null },
        changed: { name: [name, 'South'], time_zone: ['UTC', 'Europe/Paris'] },
      },
      { ids: [id_space], changed: { name: ['South', 'SOUTH'] } },
    ])
    // Node knows it, PostgreSQL does not.
    const unknown = await run(['spaces', 'change', '--space', 'SOUTH', '--time-zone', 'AET'])
    expect([unknown.code, unknown.stderr]).toEqual([
      2,
      expect.stringContaining('Unknown time zone "AET"'),
    ])
  })

  test('are removed with everything in them, counted, and only when it is confirmed', async () => {
    const kept = await newSpace()
    const { id_space, workspace, key } = await json('demo', '--leads', '3')
    const remove = ['spaces', 'remove', '--space', workspace]
    const asked = await run(remove)
    expect([asked.code, asked.stdout]).toEqual([1, ''])
    expect(asked.stderr).toMatch(
      /^Workspace "Demo.*" \(.*\) has 3 leads, .*5 members and 1 API key\. All of it will be permanently deleted\.\n/,
    )
    expect(asked.stderr).toMatch(/ -- spaces remove --space .*Demo.* --yes\n$/)
    expect(await me(key)).toBe(200)

    const { code, stdout } = await run([...remove, '--yes'])
    expect([code, stdout]).toEqual([0, `Removed workspace "${workspace}".\n`])
    expect(await leftOf(id_space)).toEqual([])
    expect(await leftOf(kept.id_space)).toEqual(['event', 'member', 'space'])
    await expect.poll(() => me(key)).toBe(401)
  })

  test.each([
    ['yes\n', 0, 'Removed workspace'],
    ['y\n', 1, 'Nothing was done'],
    ['\n', 1, 'Nothing was done'],
    ['\x03', 1, 'Nothing was done'],
    ['\x04', 1, 'Nothing was done'],
  ])('on a terminal the answer %j ends with status %i', async (answer, code, told) => {
    const { name, id_space } = await newSpace()
    const command = `"${process.execPath}" "${script}" spaces remove --space "${name}"`
    // `script` gives the command a terminal.
    const terminal = box.spawned('script', ['-qec', command, '/dev/null'])
    await terminal.says(/has 1 member\. All of it will be permanently deleted\./)
    await terminal.says(/Remove ".*"\? Type "yes" to continue: /)
    terminal.child.stdin?.write(answer)
    expect(await terminal.ended).toBe(code)
    await terminal.says(new RegExp(told))
    expect(await leftOf(id_space)).toEqual(code === 0 ? [] : ['event', 'member', 'space'])
  })

  test('--space must be given to remove one', async () => {
    expect(await run(['spaces', 'remove', '--yes'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Missing --space'),
    })
  })
})

/**
 * The tables that have rows of the workspace; those of the change feed are called "event". Events move from
 * event_new to event, so the first is looked at before the second.
 */
async function leftOf(space: string): Promise<string[]> {
  const tables = await query<{ name: string }[]>(
    pool,
    sql`select table_name as name from information_schema.columns
      where column_name = 'id_space' and table_schema = 'public' order by 1 desc`,
  )
  expect(tables.length).toBeGreaterThan(20)
  const found = new Set<string>()
  for (const { name } of tables) {
    const rows = await pool.unsafe(`select 1 from "${name}" where id_space = $1 limit 1`, [space])
    if (rows.length > 0) found.add(name.replace(/^event_.*/, 'event'))
  }
  return [...found].sort()
}

describe('members', () => {
  test('are found by email, and changed', async () => {
    const { name, id_space, id_member } = await newSpace()
    const tom = await json('members', 'add', '--email', ' tom@example.com ')
    expect(tom.email).toBe('tom@example.com')
    const changed = await json(
      ...['members', 'change', '--space', name, '--member', 'TOM@example.com'],
      ...['--name', 'Tom', '--email', 'tom@new.example', '--role', 'admin'],
    )
    expect(changed).toMatchObject({
      id: tom.id,
      name: 'Tom',
      email: 'tom@new.example',
      role: 'admin',
    })
    const key = await json('keys', 'create', '--member', 'tom@new.example', '--role', 'admin')
    expect(key.id_member).toBe(tom.id)

    await json('members', 'remove', '--member', 'tom@new.example', '--yes')
    const events = await writtenEvents(pool, { id_space })
    expect(events).toMatchObject([
      { type: 'member.created', ids: [id_member], changed: { role: [null, 'owner'] } },
      { type: 'member.created', ids: [tom.id], changed: { email: [null, 'tom@example.com'] } },
      { type: 'member.updated', ids: [tom.id], changed: { role: ['write', 'admin'] } },
      { type: 'member.deleted', ids: [tom.id], changed: { name: ['Tom', null] } },
    ])
    for (const { way, id_key } of events) expect([way, id_key]).toEqual(['command', null])
  })

  test('are found in every spelling of their address, and unbound from their account', async () => {
    const { id_space, name } = await newSpace()
    const client = { OIDC_ISSUER: 'https://id.example', OIDC_CLIENT_ID: 'x' }
    const env = { ...client, OIDC_CLIENT_SECRET: 'y', OIDC_ONLY: 'true' }
    const command = (...args: string[]) => run([...args, '--space', name], env)
    const refused = async (reason: RegExp, ...args: string[]) =>
      expect(await command(...args)).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(reason),
      })
    const added = await command('members', 'add', '--email', ' JOSE\u0301@EXÄMPLE.com', '--json')
    const { id, email } = JSON.parse(added.stdout)
    expect(email).toBe('josé@xn--exmple-cua.com')
    const again = ['members', 'add', '--email', 'josé@exämple.com']
    await refused(/is already a member of the workspace/, ...again)
    const identity = { issuer: 'https://id.example', subject: 'josé', bound_at: new Date() }
    const row = { id_space, id_member: id, ...identity }
    await query(pool, sql`insert into member_identity ${rowValues(row)}`)
    const unbind = ['members', 'unbind', '--member', 'Jose\u0301@exämple.com']
    const unbound = await command(...unbind)
    expect(unbound.stdout).toBe(`${email} can sign in with another account.\n`)
    await refused(/No account was bound/, ...unbind)
    await query(pool, sql`insert into member_identity ${rowValues(row)}`)
    expect((await command('members', 'unbind', '--all')).stdout).toContain(email)
    // With OIDC_ONLY, links are for owners.
    await refused(/links are only for owners/, 'sign-in', '--member', id)
    expect((await command('sign-in')).stdout).toContain('/#sign-in=')
  })

  test('lose their second factor when it is reset, and the audit log says so', async () => {
    const { id_space, id_member } = await newSpace()
    await query(
      pool,
      sql`insert into member_totp (id_space, id_member, secret, last_step, created_at)
        values (${id_space}, ${id_member}, 'sealed', 1, now())`,
    )
    const args = ['members', 'reset-factor', '--member', 'lea@example.com', '--space', id_space]
    expect(await json(...args)).toEqual({ id: id_member, email: 'lea@example.com' })
    const left = await query(pool, sql`select secret from member_totp where id_space = ${id_space}`)
    expect(left).toEqual([])
    const [entry] = await json('audit', '--space', id_space)
    expect(entry).toMatchObject({ action: 'factor.reset', about: { id: id_member } })
  })

  test('doubles are refused, when they are added and when they are changed', async () => {
    await newSpace()
    await json('members', 'add', '--email', 'tom@example.com')
    for (const args of [
      ['add', '--email', 'Tom@Example.com'],
      ['change', '--member', 'lea@example.com', '--email', 'TOM@example.com'],
    ]) {
      const { code, stderr } = await run(['members', ...args])
      expect([code, stderr]).toEqual([
        1,
        expect.stringContaining('is already a member of the workspace'),
      ])
      expect(await paste(stderr)).toMatchObject({ code: 0 })
    }
  })

  test('what is no email is refused', async () => {
    const wrong = [
      ...['tom', 'tom@', '@example.com', 'a b@example.com', 'a@b@example.com', 'a@example..com'],
      ...['a@.com', 'a@b-', 'Tom <tom@example.com>', 'a,b@example.com', '.a@example.com', ' '],
    ]
    for (const email of wrong) {
      for (const args of [
        ['members', 'add', '--email', email],
        ['members', 'change', '--member', 'lea@example.com', '--email', email],
        ['spaces', 'create', '--name', 'Wrong', '--owner', email],
      ]) {
        expect(await run(args), email).toMatchObject({
          code: 2,
          stderr: expect.stringContaining('must be an email address like tom@example.com'),
        })
      }
    }
  })

  test('are removed with their keys; their leads and reminders stay', async () => {
    const { id_space } = await newSpace()
    const tom = await json('members', 'add', '--email', 'tom@example.com')
    const { key } = await json('keys', 'create', '--member', 'tom@example.com')
    const call = (path: string, body: object) =>
      fetch(`${server.url}/rest${path}`, {
        method: 'POST',
        headers: { 'X-API-KEY': key, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      }).then((answer) => answer.status)
    expect(await call('/lead', { first_name: 'Ada' })).toBe(200)
    expect(await call('/reminders', { name: 'Call', cron: '0 9 * * *' })).toBe(200)

    const asked = await run(['members', 'remove', '--member', 'tom@example.com'])
    expect(asked.code).toBe(1)
    expect(asked.stderr).toContain('1 API key will be removed too.')
    expect(asked.stderr).toContain('1 lead and 1 reminder will be kept, without this member.')
    const done = await json('members', 'remove', '--member', 'tom@example.com', '--yes')
    expect(done).toEqual({
      id: tom.id,
      email: 'tom@example.com',
      removed: { leads: 1, reminders: 1, keys: 1 },
    })
    await expect.poll(() => me(key)).toBe(401)
    expect(await leftOf(id_space)).toEqual([
      ...['audit', 'event', 'lead', 'lead_count', 'lead_search', 'member', 'reminder', 'space'],
    ])
  })

  test('the last owner stays an owner and a member', async () => {
    await newSpace()
    for (const args of [
      ['remove', '--member', 'lea@example.com', '--yes'],
      ['change', '--member', 'lea@example.com', '--role', 'admin'],
    ]) {
      const { code, stderr } = await run(['members', ...args])
      expect([code, stderr]).toEqual([
        1,
        expect.stringContaining('lea@example.com is the only owner'),
      ])
    }
    const { stderr } = await run(['members', 'remove', '--member', 'lea@example.com', '--yes'])
    expect(await paste(stderr)).toMatchObject({ code: 0 })
    await json('members', 'remove', '--member', 'lea@example.com', '--yes')
  })
})

describe('keys', () => {
  test('--quiet prints only the key, of the newest workspace and its owner', async () => {
    const { id_space } = await newSpace()
    const { stdout, stderr } = await run(['keys', 'create', '--quiet'])
    expect(stdout).toMatch(/^rk_[\w-]{43}\n$/)
    expect(stderr).toMatch(/^Workspace: .*\nMember: lea@example\.com \(the owner\)\n$/)
    const answer = await fetch(`${server.url}/rest/me`, { headers: { 'X-API-KEY': stdout.trim() } })
    expect(await answer.json()).toMatchObject({ workspace: { id_space } })
  })

  test('a lost key is replaced by one command: by name, hint, id or itself', async () => {
    await newSpace()
    const first = await json(
      'keys',
      'create',
      '--name',
      'Shop',
      '--role',
      'read',
      '--expires',
      '30',
    )
    let old = first
    for (const by of ['name', 'hint', 'id', 'key']) {
      const made = await json('keys', 'replace', old[by])
      expect(made).toMatchObject({
        name: 'Shop',
        role: 'read',
        id_member: first.id_member,
        expires_at: first.expires_at,
      })
      expect(await me(made.key)).toBe(200)
      await expect.poll(() => me(old.key)).toBe(401)
      old = made
    }
    const quiet = await run(['keys', 'replace', 'shop', '--quiet'])
    expect(quiet).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(/^rk_\S+\n$/),
    })
  })

  test('one of several with the same name must be named by its id', async () => {
    await newSpace()
    const one = await json('keys', 'create', '--name', 'Double')
    await json('keys', 'create', '--name', 'Double')
    const { code, stderr } = await run(['keys', 'replace', 'Double'])
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('2 keys match "Double". Choose one by id:'),
    ])
    expect(stderr).toContain(`${one.id}  ${one.hint}  of lea@example.com in "Team`)
    await json('keys', 'revoke', one.id)
    await json('keys', 'revoke', 'Double')
  })

  test('one that was revoked or has expired is not replaced: the message says what to type', async () => {
    await newSpace()
    const made = await json('keys', 'create')
    await json('keys', 'revoke', made.id)
    const revoked = await run(['keys', 'replace', made.id])
    expect([revoked.code, revoked.stderr]).toEqual([1, expect.stringContaining('was revoked on')])
    expect(await paste(revoked.stderr)).toMatchObject({ code: 0 })
    const other = await json('keys', 'create')
    await query(pool, sql`update api_key set expires_at = '2020-01-01' where id = ${other.id}`)
    const expired = await run(['keys', 'replace', other.id])
    expect([expired.code, expired.stderr]).toEqual([
      1,
      expect.stringContaining('expired on 2020-01-01'),
    ])
    expect(await paste(expired.stderr)).toMatchObject({ code: 0 })
  })

  test('a role above the member is refused with both ways out', async () => {
    await newSpace()
    await json('members', 'add', '--email', 'tom@example.com', '--role', 'read')
    const { code, stderr } = await run(['keys', 'create', '--member', 'tom@example.com'])
    expect([code, stderr]).toEqual([1, expect.stringContaining('a key cannot have a higher role')])
    expect(await paste(stderr)).toMatchObject({ code: 0, stdout: expect.stringContaining('rk_') })
  })

  test('an unknown member is refused with the nearest one', async () => {
    await newSpace()
    const { stderr } = await run(['keys', 'create', '--member', 'lea@exmple.com'])
    expect(stderr).toContain('No member lea@exmple.com')
    expect(stderr).toContain('Did you mean lea@example.com?')
    expect(await paste(stderr)).toMatchObject({ code: 0 })
  })
})

describe('status, doctor and sessions', () => {
  test('status shows what is there, doctor says what to do', async () => {
    const { name, id_space } = await newSpace()
    const { stdout, code } = await run(['status'])
    expect(code).toBe(0)
    // The service of this file has a port that the system chose.
    expect(stdout).toMatch(/^No running service found\. Start it: npm start$/m)
    expect(stdout).toMatch(/^backups +WARNING: There is no backup yet\./m)
    expect(stdout).toMatch(new RegExp(`^${name} +0 .*[kM]B +0 +${id_space}$`, 'm'))
    const { checks, workspaces } = await json('status')
    expect(checks).toContainEqual(expect.objectContaining({ name: 'schema', state: 'ok' }))
    expect(workspaces).toContainEqual(
      expect.objectContaining({ id_space, leads: 0, bytes: expect.any(Number), sessions: 0 }),
    )
    const healthy = await run(['doctor'])
    expect([healthy.code, healthy.stderr]).toEqual([0, ''])
    expect(healthy.stdout).toMatch(/^WARNING backups: .*\n {2}Set BACKUP_EVERY=24h/m)
    expect(healthy.stdout).toMatch(/^\d+ checks passed, \d+ did not\.$/m)
    expect((await run(['doctor'], { PUBLIC_URL: server.url })).stdout).not.toContain('service')
    // Nothing listens there.
    const PUBLIC_URL = 'https://127.0.0.1:1'
    const unreached = await run(['doctor'], { PUBLIC_URL, BACKUP_EVERY: '1h' })
    expect(unreached.code).toBe(1)
    expect(unreached.stdout).toMatch(/^ERROR backups: There is no backup yet/m)
    expect(unreached.stdout).toMatch(/^ERROR service: https:\/\/127\.0\.0\.1:1 does not answer/m)
  })

  test('mail is tried, and doctor asks its server', async () => {
    const smtp = await startSmtp({
      authOptional: false,
      onAuth: ({ password }, _session, done) =>
        password === 'right' ? done(null, { user: 'crm' }) : done(new Error('Wrong password')),
    })
    onTestFinished(() => smtp.close())
    const environment = (password: string, port = smtp.port) => ({
      SMTP_URL: `smtp://crm:${password}@127.0.0.1:${port}`,
      ...{ MAIL_FROM: 'Sales <crm@example.com>', PUBLIC_URL: server.url },
    })
    const right = environment('right')
    expect(await run(['mail', 'test', 'Tom@Example.com'], right)).toMatchObject({
      ...{ code: 0, stderr: '' },
      stdout: expect.stringMatching(/^127\.0\.0\.1 has accepted the mail to tom@example\.com: 250/),
    })
    expect(smtp.received).toMatchObject([
      { to: 'tom@example.com', mail: { from: { name: 'Sales', address: 'crm@example.com' } } },
    ])
    smtp.behave('tom@example.com', 550)
    expect(await run(['mail', 'test', 'tom@example.com'], right)).toEqual({
      ...{ code: 1, stdout: '' },
      stderr: 'The server refused the address: 550 No such mailbox. Nothing was sent.\n',
    })
    const line = async (env: Record<string, string>) => {
      const checks = JSON.parse((await run(['doctor', '--json'], env)).stdout)
      return checks.find(({ name }: { name: string }) => name === 'mail server')
    }
    expect(await line(right)).toMatchObject({ state: 'ok', text: '127.0.0.1 answers.' })
    const wrong = environment('hunter2')
    for (const found of [
      await run(['mail', 'test', 'tom@example.com'], wrong),
      await line(wrong),
    ]) {
      expect(JSON.stringify(found)).toContain('refused the user or the password: 535')
      expect(JSON.stringify(found)).not.toContain('hunter2')
    }
    expect(await line(environment('right', 1))).toMatchObject({
      ...{ state: 'error', text: '127.0.0.1:1 refused the connection.', advice: 'Check SMTP_URL.' },
    })
    for (const [args, env, code, said] of [
      [['mail', 'test', 'nobody'], right, 2, 'must be an email address'],
      [['mail', 'test'], right, 2, 'the address'],
      [['mail', 'send', 'tom@example.com'], right, 2, 'test'],
      [['mail', 'test', 'tom@example.com'], {}, 1, 'Mail is not set up. Set SMTP_URL'],
    ] as const) {
      const outcome = await run([...args], env)
      expect([outcome.code, outcome.stdout]).toEqual([code, ''])
      expect(outcome.stderr).toContain(said)
    }
  })

  test('sessions are listed and ended', async () => {
    const { name, id_space, id_member } = await newSpace()
    const by = { way: 'link', device: 'Firefox on Linux', now: new Date() } as const
    const start = () => startSession(pool, { id_space, id: id_member }, by)
    const keys = [await start(), await start()]
    const listed = await json('sessions', 'list', '--space', name)
    expect(listed).toMatchObject([
      { member: 'lea@example.com', workspace: name, device: 'Firefox on Linux' },
      { member: 'lea@example.com' },
    ])
    const left = async () => (await json('sessions', 'list', '--space', name)).length
    await json('sessions', 'end', listed[0].id)
    expect(await left()).toBe(1)
    await json('sessions', 'end', '--member', 'Lea@example.com', '--space', name)
    expect(await left()).toBe(0)
    expect(await Promise.all(keys.map(me))).toEqual([401, 401])
    expect((await run(['sessions', 'end', listed[0].id])).stderr).toMatch(/^No such session\. See/)
    expect((await run(['sessions', 'end'])).code).toBe(2)
    const audited = await query<{ action: string }[]>(
      pool,
      sql`select action from audit where id_space = ${id_space} and action = 'session.ended'`,
    )
    expect(audited).toHaveLength(2)
  })
})

describe('help', () => {
  test('help <command> is <command> --help', async () => {
    for (const name of ['keys', 'import', 'serve']) {
      const helped = await run(['help', name])
      expect(helped).toMatchObject({ code: 0, stderr: '' })
      expect(helped.stdout).toContain('Usage: npm ')
      expect(await run([name, '--help'])).toEqual(helped)
    }
    expect((await run(['help'])).stdout).toContain('help <command>')
  })

  test.each([
    [['kyes', 'list'], 'Unknown command "kyes". Did you mean "keys"?'],
    [['help', 'space'], 'Unknown command "space". Did you mean "spaces"?'],
    [['zzzzzz'], 'Unknown command "zzzzzz".\n'],
    [['keys', 'lst'], 'Missing action: create, list, replace or revoke. Did you mean list?'],
    [['keys', 'list', '--sapce', 'x'], 'Unknown option --sapce. Did you mean --space?'],
    [['members', 'list', 'all'], 'Too many arguments: all.'],
  ])('%j: %s', async (args, expected) => {
    const { code, stderr } = await run(args)
    expect([code, stderr]).toEqual([2, expect.stringContaining(expected)])
  })
})

describe('from another folder, with npm', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rapport elsewhere '))
    await mkdir(join(folder, 'in'))
    await writeFile(join(folder, 'in', 'one.csv'), 'First Name\nAda\n')
    await writeFile(join(folder, 'in', 'campaigns.json'), '{"campaigns": [{"name": "One"}]}')
  })
  afterAll(() => rm(folder, { recursive: true }))

  /** npm is in `folder` and runs the script of the project. */
  async function npm(line: string, more?: Record<string, string>) {
    const command = `cd "$FOLDER" && npm --prefix "$PROJECT" run -s rapport -- ${line}`
    const shell = box.spawned('sh', ['-c', command], {
      FOLDER: folder,
      PROJECT: projectFolder,
      ...more,
    })
    return { code: await shell.ended, text: shell.output }
  }

  test('paths are those of the user, and one of a thing is not several', async () => {
    await newSpace()
    expect(await npm('import leads in/one.csv')).toMatchObject({
      code: 0,
      text: expect.stringContaining('in/one.csv'),
    })
    const campaigns = ['campaigns', 'import', join(folder, 'in', 'campaigns.json')]
    expect((await run(campaigns)).stdout).toContain('Written: 1 campaign, 0 steps,')
    expect((await run(campaigns)).stdout).toContain('Nothing changed: 1 campaign is already')
    expect((await npm('export leads --output out.csv')).text).toContain(
      'Exported 1 lead to out.csv.',
    )
    expect(await readFile(join(folder, 'out.csv'), 'utf8')).toContain('Ada')
    expect((await npm('backup my.backup')).text).toMatch(
      /^Backed up \d+ workspaces, .* to my\.backup/m,
    )
    const again = await npm('backup my.backup')
    expect(again.text).toMatch(
      /^my\.backup already exists\. Choose another file name, or replace it: DATA_DIR='.*' npm --prefix \S+ run rapport -- backup my\.backup --force$/m,
    )
    const refused = await npm('restore my.backup')
    expect(refused.text).toContain(`For example: DATA_DIR='${box.dataDir}-restored' npm --prefix`)
    expect(await npm('restore my.backup', { DATA_DIR: 'new data' })).toMatchObject({ code: 0 })
    expect(box.hasPostgres(join(folder, 'new data'))).toBe(false)
    const spaces = ['spaces', 'list', '--json']
    const moved = await run(spaces, { DATA_DIR: join(folder, 'new data') })
    expect(moved).toEqual(await run(spaces))
  })
})

describe('what is printed', () => {
  test('the demo names the address of the running service', async () => {
    const other = await mkdtemp(join(tmpdir(), 'rapport address '))
    await fillFolder(other)
    const port = await freePort()
    const serving = await box.start({ DATA_DIR: other, PORT: String(port) })
    const { stdout } = await run(['demo', '--leads', '1'], { DATA_DIR: other, PORT: '' })
    expect(stdout).toContain(`http://127.0.0.1:${port}/rest/lists`)
    expect(stdout).toMatch(/^ +1 lead$/m)
    serving.child.kill('SIGINT')
    await serving.ended
    const stopped = await run(['demo', '--leads', '1'], { DATA_DIR: other, PORT: '4321' })
    expect(stopped.stdout).toContain(`while the service is running (DATA_DIR='${other}' npm start)`)
    expect(stopped.stdout).toContain('http://127.0.0.1:4321/rest/lists')
    expect(stopped.stdout).toContain('Workspace "Demo 2" (')
    await rm(other, { recursive: true })
  })

  test('a demo in a workspace with leads says how to add more', async () => {
    const { workspace } = await json('demo', '--leads', '1')
    const { code, stderr } = await run(['demo', '--space', workspace, '--leads', '2'])
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('already has 1 lead. To add more: '),
    ])
    expect(await paste(stderr)).toMatchObject({ code: 0 })
  })
})
