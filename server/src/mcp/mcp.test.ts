// Tools for agents, with the official clients of both generations.
import {
  Client as NewClient,
  StreamableHTTPClientTransport as NewTransport,
} from '@modelcontextprotocol/client'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { beforeAll, expect, test } from 'vitest'
import { service, type Workspace } from '../../test/harness.ts'

const app = service()
let space: Workspace

const info = { name: 'test', version: '1' }
const reading = ['describe_workspace', 'find_leads', 'get_lead', 'report', 'recent_changes']

beforeAll(async () => {
  space = await app.workspace()
})

const generations = {
  async old(key: string) {
    const client = new OldClient(info)
    const requestInit = { headers: { Authorization: `Bearer ${key}` } }
    await client.connect(new OldTransport(new URL('/mcp', app.url), { requestInit }) as never)
    return client
  },
  async new(key: string) {
    const client = new NewClient(info, { versionNegotiation: { mode: 'auto' } })
    const requestInit = { headers: { Authorization: `Bearer ${key}` } }
    await client.connect(new NewTransport(new URL('/mcp', app.url), { requestInit }))
    return client
  },
}

test.each(['old', 'new'] as const)(
  'a client of the %s generation lists and calls the tools',
  async (generation) => {
    const client = await generations[generation](space.key)
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(reading)
    for (const { name } of tools.filter(({ name }) => name !== 'get_lead')) {
      const result = await client.callTool({
        name,
        arguments: name === 'report' ? { group_by: 'tag' } : {},
      })
      expect(result).toMatchObject({ structuredContent: { notice: expect.any(String), data: {} } })
    }
    await client.close()
  },
)
