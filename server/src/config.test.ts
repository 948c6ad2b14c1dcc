import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { ConfigError } from './config-error.ts'

test('every setting has a default; an empty variable counts as not set', () => {
  expect(readConfig({ HOME: '/home/x' })).toMatchObject({
    port: 3000,
    host: '127.0.0.1',
    databaseUrl: undefined,
    apiKey: undefined,
    logLevel: 'info',
    rateLimit: 0,
    maxRequests: 1_000,
    timeouts: { ordinary: 30_000, bulk: 3_600_000, transfer: 600_000, background: 600_000 },
    slowStatementMs: 1_000,
    stopDelayMs: 0,
    trustProxy: [],
    openid: undefined,
  })
  expect(readConfig({ PORT: '' }).port).toBe(3000)
  expect(readConfig({ SLOW_STATEMENT: '200ms' }).slowStatementMs).toBe(200)
})

test('PUBLIC_URL is an origin, with or without a slash at the end', () => {
  const read = (text: string) => readConfig({ PUBLIC_URL: text }).publicUrl
  expect(read('https://CRM.example.com/')).toBe('https://crm.example.com')
  expect(read('http://10.0.0.7:3000')).toBe('http://10.0.0.7:3000')
})

test('an object storage needs a bucket and an account', () => {
  const read = (more: NodeJS.ProcessEnv) => readConfig({ BACKUP_EVERY: '24h', ...more })
  const account = { BACKUP_S3_KEY_ID: 'AKIA', BACKUP_S3_SECRET: 'secret' }
  const { backupStorage } = read({ ...account, BACKUP_S3_URL: 'http://s3.lan:9000/box/crm' })
  expect(backupStorage).toMatchObject({ region: 'us-east-1', url: { pathname: '/box/crm' } })
  for (const url of ['s3://box', 'https://s3.lan', 'https://s3.lan/box?x=1']) {
    const refused = () => read({ ...account, BACKUP_S3_URL: url })
    expect(refused).toThrow(/^BACKUP_S3_URL must be the address of a bucket/)
  }
  expect(() => read({ BACKUP_S3_URL: 'https://s3.lan/box' })).toThrow(
    'BACKUP_S3_URL requires BACKUP_S3_KEY_ID',
  )
})

test('an operation can be taken back as long as events are kept, at most', () => {
  const day = 86_400_000
  expect(readConfig({ UNDO_KEEP: '40' }).undoKeepMs).toBe(40 * day)
  expect(readConfig({ EVENTS_KEEP: '7' }).undoKeepMs).toBe(7 * day)
})

test.each([
  ['PORT', 'http'],
  ['PORT', '70000'],
  ['PORT', '-1'],
  ['PORT', '1e3'],
  ['LOG_LEVEL', 'loud'],
  ['SESSION_DAYS', '0'],
  ['SESSION_DAYS', '401'],
  ['PUBLIC_URL', 'crm.example.com'],
  ['PUBLIC_URL', 'ftp://crm.example.com'],
  ['PUBLIC_URL', 'https://crm.example.com/rapport'],
  ['PUBLIC_URL', 'https://crm.example.com/?a'],
  ['PUBLIC_URL', 'https://crm.example.com/#a'],
  ['PUBLIC_URL', 'https://ada@crm.example.com'],
  ['PUBLIC_URL', 'javascript:alert(1)'],
  ['DATABASE_URL', 'localhost:5432'],
  ['DATABASE_URL', 'mysql://localhost/x'],
  ['DATABASE_URL', 'postgres://localhost/x?sslmode=verify-full&sslrootcert=/etc/no-such-file.pem'],
  ['DATABASE_URL', 'postgres://localhost/x?sslmode=verifyfull'],
  ['DATABASE_URL', 'postgres://localhost/x?sslmode=verify-full&sslcert=/etc/me.pem'],
  ['METRICS_TOKEN', 'short'],
  ['BACKUP_KEY', 'short'],
  ['BACKUP_HOOK', 'rclone copy'],
  ['BACKUP_S3_URL', 'https://s3.example/bucket'],
  ['METRICS_PORT', '70000'],
  ['DATABASE_POOL', '1'],
  ['RAPPORT_API_KEY', 'short'],
  ['RAPPORT_API_KEY', 'with blanks in the middle of it'],
  ['RATE_LIMIT', 'many'],
  ['MAX_REQUESTS', '9'],
  ['TRUST_PROXY', 'yes'],
  ['TRUST_PROXY', '10.0.0.0/33'],
  ['TRUST_PROXY', '10.0.0.1,'],
  ['TRUST_PROXY', '10.0.0.1/8/8'],
  ['BACKUP_EVERY', 'daily'],
  ['BACKUP_EVERY', '24'],
  ['BACKUP_EVERY', '0h'],
  ['BACKUP_EVERY', '10s'],
  ['STATEMENT_TIMEOUT', '0s'],
  ['STATEMENT_TIMEOUT', '10ms'],
  ['SLOW_STATEMENT', '0.5s'],
  ['STOP_DELAY', '10'],
  ['STATEMENT_TIMEOUT_BULK', '1000'],
  ['OIDC_ISSUER', 'https://accounts.example.com'],
  ['OIDC_CLIENT_SECRET', 'alone'],
  ['OIDC_ROLE', 'owner'],
  ['OIDC_DOMAINS', 'example.com,'],
  ['OIDC_DOMAINS', '@example.com'],
  ['BACKUP_KEEP', '0'],
  ['BACKUP_KEEP', 'all'],
])('refuses %s=%s in one line that names it', (name, value) => {
  expect(() => readConfig({ [name]: value })).toThrow(ConfigError)
  expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^${name} [^\\n]+$`))
})

test('a secret may be in a file, but not in both places', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rapport secret '))
  const file = join(folder, 'secret')
  const read = (name: string, more = {}) => readConfig({ [`${name}_FILE`]: file, ...more })
  await writeFile(file, 'postgres://me:secret@db.example/rapport\n')
  expect(read('DATABASE_URL').databaseUrl).toBe('postgres://me:secret@db.example/rapport')
  await writeFile(file, `${'k'.repeat(40)}\n`)
  expect(read('SECRET_KEY')).toMatchObject({ secretKey: 'k'.repeat(40), mistyped: [] })
  expect(read('RAPPORT_API_KEY').apiKey).toBe('k'.repeat(40))
  expect(read('METRICS_TOKEN').metricsToken).toBe('k'.repeat(40))
  expect(read('BACKUP_KEY').backupKey).toBe('k'.repeat(40))
  const client = { OIDC_ISSUER: 'https://accounts.example.com', OIDC_CLIENT_ID: 'rapport' }
  expect(read('OIDC_CLIENT_SECRET', client).openid?.clientSecret).toBe('k'.repeat(40))
  expect(() => read('SECRET_KEY', { SECRET_KEY: 'x'.repeat(40) })).toThrow(
    'SECRET_KEY and SECRET_KEY_FILE are both set. Set only one of them.',
  )
  await writeFile(file, '\n')
  expect(() => read('SECRET_KEY')).toThrow(/^SECRET_KEY_FILE is an empty file: [^\n]+$/)
  await rm(folder, { recursive: true })
  expect(() => read('SECRET_KEY')).toThrow(/^SECRET_KEY_FILE cannot be read: ENOENT[^\n]+$/)
})

test('backups are off by default, and their folder is in the data folder', () => {
  expect(readConfig({ DATA_DIR: '/data' })).toMatchObject({
    backupEvery: undefined,
    backupKeep: 7,
    backupDir: '/data/backups',
  })
  expect(readConfig({ BACKUP_EVERY: '36h', BACKUP_KEEP: '3', BACKUP_DIR: '/safe' })).toMatchObject({
    backupEvery: 36 * 3_600_000,
    backupKeep: 3,
    backupDir: '/safe',
  })
})

test('OpenID Connect takes three settings, and some more', () => {
  const set = { OIDC_ISSUER: 'https://id.example', OIDC_CLIENT_ID: 'x', OIDC_CLIENT_SECRET: 'y' }
  expect(readConfig(set).openid).toEqual({
    ...{ issuer: 'https://id.example', clientId: 'x', clientSecret: 'y' },
    ...{ domains: [], role: 'read', only: false, groupRoles: new Map(), groupsClaim: 'groups' },
  })
  const more = { ...set, OIDC_DOMAINS: 'Example.com, example.org', OIDC_ROLE: 'write' }
  expect(readConfig(more).openid).toMatchObject({
    domains: ['example.com', 'example.org'],
    role: 'write',
  })
  const groups = { ...set, OIDC_ONLY: 'true', OIDC_ROLES: 'crm:all:admin, sales:write' }
  expect(readConfig({ ...groups, OIDC_GROUPS_CLAIM: 'roles' }).openid).toMatchObject({
    ...{ only: true, groupsClaim: 'roles' },
    groupRoles: new Map([
      ['crm:all', 'admin'],
      ['sales', 'write'],
    ]),
  })
  for (const OIDC_ROLES of ['sales', 'sales:', ':write', 'sales:owner', 'sales:write,']) {
    expect(() => readConfig({ ...set, OIDC_ROLES })).toThrow(/^OIDC_ROLES must be/)
  }
  expect(() => readConfig({ OIDC_ONLY: 'true' })).toThrow(/^OIDC_ONLY requires/)
  expect(() => readConfig({ ...set, OIDC_ONLY: 'yes' })).toThrow(/^OIDC_ONLY must be/)
  for (const OIDC_ISSUER of ['id.example', 'http://id.example', 'ftp://id.example']) {
    expect(() => readConfig({ ...set, OIDC_ISSUER })).toThrow(/^OIDC_ISSUER must be/)
  }
})

describe('mail', () => {
  const set = {
    SMTP_URL: 'smtps://crm%40example.com:p%2Fw%3A1@mail.example.com',
    MAIL_FROM: '"Sales, Inc." <CRM@Example.com>',
    PUBLIC_URL: 'https://crm.example.com',
  }

  test('takes an address of a server, a sender and the address of the page', () => {
    expect(readConfig(set).mail).toEqual({
      ...{ host: 'mail.example.com', port: 465, isSecure: true },
      login: { user: 'crm@example.com', password: 'p/w:1' },
      from: { name: 'Sales, Inc.', address: 'crm@example.com' },
      page: 'https://crm.example.com',
    })
    const other = { SMTP_URL: 'smtp://[::1]:2525', MAIL_FROM: 'crm@example.com' }
    expect(readConfig({ ...set, ...other }).mail).toMatchObject({
      ...{ host: '::1', port: 2525, isSecure: false, login: undefined },
      from: { name: 'Rapport', address: 'crm@example.com' },
    })
    expect(readConfig({}).mail).toBeUndefined()
  })

  test.each([
    ['SMTP_URL', 'mail.example.com:587'],
    ['SMTP_URL', 'http://user:hunter2@mail.example.com'],
    ['SMTP_URL', 'smtp://'],
    ['SMTP_URL', 'smtp://user:hun/ter2@mail.example.com'],
    ['SMTP_URL', 'smtp://user:hunter2@mail.example.com/inbox'],
    ['SMTP_URL', 'smtp://user:hunter2@mail.example.com?pool=true'],
    ['SMTP_URL', 'smtp://user:hunter2@mail.example.com:port'],
    ['SMTP_URL', 'smtp://user:hunter2%@mail.example.com'],
    ['MAIL_FROM', 'Rapport'],
    ['MAIL_FROM', 'Rapport <crm@example.com> and more'],
    ['MAIL_FROM', 'Rapport\r\nBcc: all@example.com <crm@example.com>'],
    ['MAIL_FROM', 'Rapport <crm@example.com\r\nBcc: all@example.com>'],
    ['MAIL_FROM', 'one@example.com, two@example.com'],
    ['PUBLIC_URL', 'crm.example.com'],
  ])('refuses %s=%s, and repeats no password', (name, value) => {
    const refused = () => readConfig({ ...set, [name]: value })
    expect(refused).toThrow(ConfigError)
    expect(refused).toThrow(new RegExp(`^${name} (?!.*hunter2)`))
  })

  test.each([
    ['MAIL_FROM', 'SMTP_URL requires MAIL_FROM.'],
    ['PUBLIC_URL', 'SMTP_URL requires PUBLIC_URL, for the links in mails.'],
    ['SMTP_URL', 'MAIL_FROM requires SMTP_URL.'],
  ])('without %s it says what is missing', (name, message) => {
    expect(() => readConfig({ ...set, [name]: undefined })).toThrow(message)
  })

  test('needs a SECRET_KEY that all processes on a database have', () => {
    const DATABASE_URL = 'postgres://db.example/rapport'
    expect(() => readConfig({ ...set, DATABASE_URL })).toThrow(/^SMTP_URL requires SECRET_KEY/)
    const SECRET_KEY = 'k'.repeat(40)
    expect(readConfig({ ...set, DATABASE_URL, SECRET_KEY }).mail).toBeDefined()
  })
})

test('TRUST_PROXY takes addresses and networks', () => {
  const { trustProxy } = readConfig({ TRUST_PROXY: '127.0.0.1, 10.0.0.0/8,::1,fd00::/64' })
  expect(trustProxy).toEqual(['127.0.0.1', '10.0.0.0/8', '::1', 'fd00::/64'])
})

test('several servers of one database are one setting', () => {
  const databaseUrl = 'postgres://me:p,w@one:5432,two:5433/x?target_session_attrs=read-write'
  expect(readConfig({ DATABASE_URL: databaseUrl })).toMatchObject({ databaseUrl })
})

test('an error does not show the password in DATABASE_URL', () => {
  expect(() => readConfig({ DATABASE_URL: 'pg://me:secret@host/db' })).toThrow(/^(?!.*secret)/)
})

test('a name that is almost that of a setting is noticed', () => {
  const env = { BACKUP_EVRY: '1h', DATABASEURL: 'x', BACKUP_EVERY: '2h', HOSTNAME: 'x', PATH: 'x' }
  expect(readConfig(env).mistyped).toEqual([
    { name: 'BACKUP_EVRY', meant: 'BACKUP_EVERY' },
    { name: 'DATABASEURL', meant: 'DATABASE_URL' },
  ])
})
