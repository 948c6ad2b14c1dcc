// Tools for agents over stdio. Only messages of the protocol go to stdout.
import { once } from 'node:events'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { rightsOf } from '@rapport/contract/roles'
import { newKey } from '../access/keys.ts'
import { buildApp } from '../app.ts'
import type { Config } from '../config.ts'
import type { Pool } from '../db/driver.ts'
import { createServer } from '../mcp/protocol.ts'
import { remoteTools, type Send } from '../mcp/remote.ts'
import { openSecrets } from '../secrets.ts'
import { chooseMember } from './choose-member.ts'
import { anySpace, chooseSpace } from './choose-space.ts'
import { command, requireNoMore, UsageError, withDatabase } from './command.ts'

export const mcp = command({
  summary: 'Offer tools to an agent over stdio (Model Context Protocol)',
  help: `Usage: rapport mcp [--space <name|id>] [--member <email|id>]
       RAPPORT_KEY=<key> rapport mcp --url <address>

For agents that start a program. With --url, the tools are those of the service at this address, with
the rights of the key in RAPPORT_KEY; otherwise they work on the database of this machine, as a member
of a workspace. In a checkout: node scripts/rapport.mjs mcp. docs/AGENTS.md has the lines for
common clients.`,
  options: {
    url: '<address> a running service, such as https://crm.example.com',
    space: anySpace,
    member: '<email|id> the member the agent acts as (default: the owner)',
  },

  async run({ values, positionals }, config) {
    requireNoMore(positionals)
    if (values.url === undefined) return withDatabase(config, (db) => serveHere(db, config, values))
    if (values.space || values.member) {
      throw new UsageError('With --url, the key determines the workspace and the member.')
    }
    await serve(sendTo(values.url, process.env.RAPPORT_KEY))
  },
})

async function serve(send: Send): Promise<void> {
  const ended = once(process.stdin, 'close')
  const handle = serveStdio(() => createServer(remoteTools(send)), {
    onerror: ({ message }) => console.error(message),
  })
  await ended
  await handle.close()
}

function sendTo(url: string, key: string | undefined): Send {
  if (!key) throw new UsageError('Missing RAPPORT_KEY. Set it to an API key of the service.')
  if (!URL.canParse('/mcp', url)) throw new UsageError(`--url must be an address, not "${url}".`)
  const address = new URL('/mcp', url)
  return async ({ headers, body }) => {
    const Authorization = `Bearer ${key}`
    const response = await fetch(address, {
      method: 'POST',
      headers: { ...headers, Authorization },
      body,
    }).catch(({ message, cause }) => {
      throw new Error(`Cannot reach ${address.origin}: ${cause?.message ?? message}`)
    })
    return { status: response.status, text: await response.text() }
  }
}

/** The service itself, without an address. */
async function serveHere(
  db: Pool,
  config: Config,
  chosen: { space: string | undefined; member: string | undefined },
): Promise<void> {
  const space = await chooseSpace(db, chosen.space)
  const { id_space, id: user, role } = await chooseMember(db, space, chosen.member)
  const key = newKey()
  const principal = { space: id_space, user, role: rightsOf(role), way: 'agent' as const }
  const app = buildApp({
    ...{
      db,
      config: { ...config, logLevel: 'silent', rateLimit: 0 },
      fixedKey: { key, principal },
    },
    secrets: await openSecrets(config),
  })
  try {
    await serve(async ({ headers, body }) => {
      const Authorization = `Bearer ${key}`
      const response = await app.inject({
        ...{ method: 'POST', url: '/mcp', payload: body },
        headers: { ...headers, Authorization },
      })
      return { status: response.statusCode, text: response.body }
    })
  } finally {
    await app.close()
  }
}
