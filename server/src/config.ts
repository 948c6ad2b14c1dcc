// The environment, read once. Every setting of Rapport is here and in the README's table.

import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Role, roles } from '@rapport/contract/roles'
import { databaseUrl } from './config-database.ts'
import { ConfigError } from './config-error.ts'
import { type MailSettings, readMailSettings } from './config-mail.ts'
import { normalizeDomain } from './email-address.ts'
import { nearest } from './nearest.ts'
import { readNetwork } from './networks.ts'

export interface Config {
  port: number
  host: string
  /** The public address of the page, for links. Undefined: the address the service listens on. */
  publicUrl: string | undefined
  dataDir: string
  /** Your own PostgreSQL server. Undefined: the bundled PostgreSQL. */
  databaseUrl: string | undefined
  /** How long startup waits for your own PostgreSQL server. */
  databaseWaitMs: number
  /** Connections to the database. */
  poolSize: number
  /** What secrets in the database are encrypted with. Undefined: the key file in the data folder. */
  secretKey: string | undefined
  /** A key that is valid for the first workspace's owner while it is set. */
  apiKey: string | undefined
  logLevel: LogLevel
  /** Requests per minute and key. 0: no limit. */
  rateLimit: number
  /** Requests in progress at a time. More are refused with 503. */
  maxRequests: number
  /** How long a statement of each kind of request may run. */
  timeouts: Timeouts
  /** A statement that takes longer is logged. */
  slowStatementMs: number
  /** How long /readyz returns 503 before shutdown begins. */
  stopDelayMs: number
  /** Addresses of proxies whose X-Forwarded-For header is trusted. */
  trustProxy: string[]
  /** Private addresses and networks that webhooks may reach. */
  webhookAllow: string[]
  /** How mail is sent. Undefined: not at all. */
  mail: MailSettings | undefined
  /** Milliseconds between two backups of the running server. Undefined: no backups. */
  backupEvery: number | undefined
  /** How many of these backups are kept. */
  backupKeep: number
  backupDir: string
  /** Encrypts backups. */
  backupKey: string | undefined
  /** Where copies of the backups of the running server go. */
  backupStorage: S3Settings | undefined
  /** A command to run after each of these backups. */
  backupHook: string | undefined
  /** How long events of the change feed are kept. */
  eventsKeepMs: number
  /** How long a bulk change can be undone. */
  undoKeepMs: number
  /** After this time deleted leads are erased permanently. Undefined: never. */
  deletedKeepMs: number | undefined
  /** The maximum age of a browser session. */
  sessionMs: number
  /** Signing in with OpenID Connect. Undefined: not set up. */
  openid: OpenidSettings | undefined
  /** What monitoring must send to read /metrics. Undefined: the service does not serve them. */
  metricsToken: string | undefined
  /** A separate port, where anyone may read the metrics. Undefined: there is none. */
  metricsPort: number | undefined
  /** Variables that look like misspelled settings. */
  mistyped: { name: string; meant: string }[]
}

/** An object storage. The path of the address is the bucket and a prefix for the names in it. */
export interface S3Settings {
  url: URL
  region: string
  keyId: string
  secret: string
}

/** In milliseconds. */
export interface Timeouts {
  ordinary: number
  bulk: number
  /** Imports and exports. */
  transfer: number
  /** Reminders, housekeeping, the change feed and webhooks. */
  background: number
}

export interface OpenidSettings {
  issuer: string
  clientId: string
  clientSecret: string
  /** People with a verified address of these domains become members when they first sign in. */
  domains: string[]
  /** The role that they get. Not owner: a provider cannot hand over a workspace. */
  role: Role
  /** The only way to sign in: no passwords, and no links except those that the command line prints for owners. */
  only: boolean
  /** The roles of groups at the provider. Empty: groups do not count. */
  groupRoles: Map<string, Role>
  /** The claim that lists the groups of a person. */
  groupsClaim: string
}

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

export function readConfig(env: NodeJS.ProcessEnv): Config {
  // An empty variable counts as not set, as in `PORT= npm start`.
  const names = new Set<string>()
  const get = (name: string) => {
    names.add(name)
    if (!secretNames.includes(name)) return env[name] || undefined
    names.add(`${name}_FILE`)
    return readSecret(name, env)
  }
  const dataDir = resolve(get('DATA_DIR') ?? defaultDataDir(env))
  const eventsKeep = wholeNumber('EVENTS_KEEP', get('EVENTS_KEEP') ?? '365', 1, 36_500)
  const timeout = (name: string, standard: string) =>
    duration(name, get(name) ?? standard, 's') as number
  const undoKeep = wholeNumber('UNDO_KEEP', get('UNDO_KEEP') ?? '30', 0, 3650)
  const config = {
    port: wholeNumber('PORT', get('PORT') ?? '3000', 0, 65_535),
    host: get('HOST') ?? '127.0.0.1',
    publicUrl: publicUrl(get('PUBLIC_URL')),
    dataDir,
    databaseUrl: databaseUrl(get('DATABASE_URL')),
    databaseWaitMs: timeout('DATABASE_WAIT', '30s'),
    poolSize: wholeNumber('DATABASE_POOL', get('DATABASE_POOL') ?? '10', 2, 1000),
    secretKey: secret('SECRET_KEY', 32, get('SECRET_KEY')),
    apiKey: secret('RAPPORT_API_KEY', 16, get('RAPPORT_API_KEY')),
    logLevel: oneOf('LOG_LEVEL', get('LOG_LEVEL') ?? 'info', logLevels),
    rateLimit: wholeNumber('RATE_LIMIT', get('RATE_LIMIT') ?? '0', 0, 1_000_000),
    maxRequests: wholeNumber('MAX_REQUESTS', get('MAX_REQUESTS') ?? '1000', 10, 100_000),
    timeouts: {
      ordinary: timeout('STATEMENT_TIMEOUT', '30s'),
      bulk: timeout('STATEMENT_TIMEOUT_BULK', '1h'),
      transfer: timeout('STATEMENT_TIMEOUT_TRANSFER', '10m'),
      background: timeout('STATEMENT_TIMEOUT_BACKGROUND', '10m'),
    },
    slowStatementMs: duration('SLOW_STATEMENT', get('SLOW_STATEMENT') ?? '1s', 'ms') as number,
    stopDelayMs: duration('STOP_DELAY', get('STOP_DELAY'), 's') ?? 0,
    trustProxy: addresses('TRUST_PROXY', get('TRUST_PROXY')),
    webhookAllow: addresses('WEBHOOK_ALLOW', get('WEBHOOK_ALLOW')),
    mail: readMailSettings(get, publicUrl(get('PUBLIC_URL'))),
    backupEvery: duration('BACKUP_EVERY', get('BACKUP_EVERY')),
    backupKeep: wholeNumber('BACKUP_KEEP', get('BACKUP_KEEP') ?? '7', 1, 10_000),
    eventsKeepMs: eventsKeep * unitMs.d,
    deletedKeepMs: days('DELETED_KEEP', get('DELETED_KEEP')),
    // Operations are kept as long as events: an undo looks there for later changes.
    undoKeepMs: Math.min(undoKeep, eventsKeep) * unitMs.d,
    // Browsers keep a cookie for 400 days at most.
    sessionMs: wholeNumber('SESSION_DAYS', get('SESSION_DAYS') ?? '90', 1, 400) * unitMs.d,
    backupDir: resolve(get('BACKUP_DIR') ?? join(dataDir, 'backups')),
    backupKey: secret('BACKUP_KEY', 32, get('BACKUP_KEY')),
    backupStorage: storage(get),
    backupHook: onlyScheduled('BACKUP_HOOK', get),
    openid: openid(get),
    metricsToken: secret('METRICS_TOKEN', 16, get('METRICS_TOKEN')),
    metricsPort: optionalPort('METRICS_PORT', get('METRICS_PORT')),
  }
  return { ...config, mistyped: mistyped(env, names) }
}

/** Each of them may also be in a file, as containers get their secrets: NAME_FILE is its path. */
const secretNames = [
  ...['DATABASE_URL', 'SECRET_KEY', 'RAPPORT_API_KEY', 'OIDC_CLIENT_SECRET', 'METRICS_TOKEN'],
  ...['BACKUP_KEY', 'BACKUP_S3_SECRET', 'SMTP_URL'],
]

function readSecret(name: string, env: NodeJS.ProcessEnv): string | undefined {
  const { [name]: value, [`${name}_FILE`]: file } = env
  if (!file) return value || undefined
  if (value) throw new ConfigError(`${name} and ${name}_FILE are both set. Set only one of them.`)
  try {
    const text = readFileSync(file, 'utf8').trimEnd()
    if (text) return text
  } catch (error) {
    throw new ConfigError(`${name}_FILE cannot be read: ${(error as Error).message}.`)
  }
  throw new ConfigError(`${name}_FILE is an empty file: ${file}.`)
}

/** Short names resemble those of other programs: HOST and HOME. */
const leastLetters = 8

function mistyped(env: NodeJS.ProcessEnv, names: Set<string>): Config['mistyped'] {
  return Object.keys(env).flatMap((name) => {
    if (names.has(name) || name.length < leastLetters) return []
    const meant = nearest(name, names, 2)
    return meant === undefined ? [] : [{ name, meant }]
  })
}

/** Not inside the checkout, because the data must outlive it. */
function defaultDataDir(env: NodeJS.ProcessEnv): string {
  if (process.platform === 'win32') {
    return join(env.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local'), 'Rapport')
  }
  if (process.getuid?.() === 0) return '/var/lib/rapport'
  return join(env.XDG_DATA_HOME || join(homedir(), '.local', 'share'), 'rapport')
}

function wholeNumber(name: string, text: string, min: number, max: number): number {
  const value = Number(text)
  if (!/^\d+$/.test(text) || value < min || value > max) {
    throw new ConfigError(`${name} must be a whole number from ${min} to ${max}, not "${text}".`)
  }
  return value
}

function optionalPort(name: string, text: string | undefined): number | undefined {
  return text === undefined ? undefined : wholeNumber(name, text, 0, 65_535)
}

function days(name: string, text: string | undefined): number | undefined {
  return text === undefined ? undefined : wholeNumber(name, text, 1, 36_500) * unitMs.d
}

/** "10.0.0.7, 192.168.0.0/16" */
function addresses(name: string, text: string | undefined): string[] {
  return (text?.split(',') ?? []).map((part) => {
    if (!readNetwork(part.trim())) {
      throw new ConfigError(
        `${name} must be addresses or networks such as 10.0.0.7,192.168.0.0/16, not "${text}".`,
      )
    }
    return part.trim()
  })
}

const unitMs = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

const durations = { ms: '200ms, 1s or 5m', s: '30s, 10m or 1h', m: '30m, 24h or 7d' }

/** "30m". Smaller units only where `least` allows them: nobody wants a backup every second. */
function duration(
  name: string,
  text: string | undefined,
  least: keyof typeof durations = 'm',
): number | undefined {
  if (text === undefined) return undefined
  const [, count, given] = /^([1-9]\d{0,3})(ms|[smhd])$/.exec(text) ?? []
  const unit = unitMs[given as keyof typeof unitMs]
  if (!count || unit < unitMs[least]) {
    throw new ConfigError(`${name} must look like ${durations[least]}, not "${text}".`)
  }
  return Number(count) * unit
}

function oneOf<T extends string>(name: string, text: string, allowed: readonly T[]): T {
  const found = allowed.find((value) => value === text)
  if (!found) {
    throw new ConfigError(`${name} must be one of ${allowed.join(', ')}, not "${text}".`)
  }
  return found
}

/** The page is at the root of its address, so nothing follows the host. */
function publicUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isOrigin = url && [`${url.origin}/`, url.origin].includes(url.href)
  if (!isOrigin || !['http:', 'https:'].includes(url.protocol)) {
    throw new ConfigError(
      `PUBLIC_URL must be an address without a path, such as https://crm.example.com, not "${text}".`,
    )
  }
  return url.origin
}

/** A secret that somebody chose. The message does not repeat it. */
function secret(name: string, least: number, text: string | undefined): string | undefined {
  if (text !== undefined && !new RegExp(`^[\\x21-\\x7e]{${least},200}$`).test(text)) {
    throw new ConfigError(
      `${name} must be ${least} to 200 visible ASCII characters without spaces.`,
    )
  }
  return text
}

/** A setting for backups of the running server. It requires that the server makes some. */
function onlyScheduled(
  name: string,
  get: (name: string) => string | undefined,
): string | undefined {
  const text = get(name)
  if (text === undefined || get('BACKUP_EVERY')) return text
  throw new ConfigError(`${name} is for automatic backups. Set BACKUP_EVERY too.`)
}

function storage(get: (name: string) => string | undefined): S3Settings | undefined {
  const text = onlyScheduled('BACKUP_S3_URL', get)
  const region = get('BACKUP_S3_REGION') ?? 'us-east-1'
  const keyId = get('BACKUP_S3_KEY_ID')
  const secret = get('BACKUP_S3_SECRET')
  if (text === undefined) return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.pathname === '/') {
    throw new ConfigError(
      `BACKUP_S3_URL must be the address of a bucket, such as https://s3.eu-central-1.amazonaws.com/my-bucket/rapport, not "${text}".`,
    )
  }
  if (!keyId || !secret) {
    throw new ConfigError('BACKUP_S3_URL requires BACKUP_S3_KEY_ID and BACKUP_S3_SECRET.')
  }
  return { url, region, keyId, secret }
}

function openid(get: (name: string) => string | undefined): OpenidSettings | undefined {
  const names = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET']
  const [issuer, clientId, clientSecret] = names.map(get)
  const domains = domainList('OIDC_DOMAINS', get('OIDC_DOMAINS'))
  const role = oneOf('OIDC_ROLE', get('OIDC_ROLE') ?? 'read', roles)
  const only =
    oneOf('OIDC_ONLY', get('OIDC_ONLY') ?? 'false', ['true', 'false'] as const) === 'true'
  const groupRoles = rolesOfGroups('OIDC_ROLES', get('OIDC_ROLES'))
  const groupsClaim = get('OIDC_GROUPS_CLAIM') ?? 'groups'
  if (!issuer && !clientId && !clientSecret) {
    if (only) throw new ConfigError(`OIDC_ONLY requires ${names.join(', ')}.`)
    return undefined
  }
  if (!issuer || !clientId || !clientSecret) {
    const set = names.find(get)
    throw new ConfigError(`${set} is set alone. Set all of ${names.join(', ')}, or none.`)
  }
  if (!isIssuer(issuer)) {
    throw new ConfigError(
      `OIDC_ISSUER must be an address like https://accounts.example.com, not "${issuer}".`,
    )
  }
  const client = { issuer, clientId, clientSecret }
  return { ...client, domains, role, only, groupRoles, groupsClaim }
}

/** "crm-admins:admin, sales:write". The name of a group may have a colon in it. */
function rolesOfGroups(name: string, text: string | undefined): Map<string, Role> {
  return new Map(
    (text?.split(',') ?? []).map((part) => {
      const at = part.lastIndexOf(':')
      const group = part.slice(0, Math.max(at, 0)).trim()
      const role = roles.find((one) => one === part.slice(at + 1).trim())
      if (!group || !role) {
        throw new ConfigError(
          `${name} must be groups with a role (${roles.join(', ')}), such as crm-admins:admin,sales:write, not "${text}".`,
        )
      }
      return [group, role]
    }),
  )
}

/** Without TLS only on this machine, for tests. */
function isIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname } = new URL(text)
  return protocol === 'https:' || (protocol === 'http:' && hostname === '127.0.0.1')
}

/** "example.com, example.org" */
function domainList(name: string, text: string | undefined): string[] {
  return (text?.split(',') ?? []).map((part) => {
    const domain = normalizeDomain(part.trim())
    if (!domain || !/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(domain)) {
      throw new ConfigError(
        `${name} must be domains such as example.com,example.org, not "${text}".`,
      )
    }
    return domain
  })
}
