// The official clients of both generations, over HTTP and over stdio.
import {
  Client as NewClient,
  StreamableHTTPClientTransport as NewTransport,
} from '@modelcontextprotocol/client'
import { StdioClientTransport as NewStdio } from '@modelcontextprotocol/client/stdio'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as OldStdio } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { environment, program } from './program.ts'

export interface Result {
  isError?: boolean
  content: { type: string; text: string }[]
  structuredContent: Record<string, unknown> & { data: Record<string, unknown> }
}

export interface McpClient {
  tools(): Promise<{ name: string; annotations?: object | undefined }[]>
  call(name: string, args?: object): Promise<Result>
  /** What the service calls the protocol it speaks with this client. */
  protocol(): string | undefined
  close(): Promise<void>
}

const info = { name: 'test', version: '1' }

type Client = OldClient | NewClient

const toClient = (client: Client): McpClient => ({
  tools: async () => (await client.listTools()).tools,
  call: async (name, args = {}) =>
    (await client.callTool({ name, arguments: { ...args } })) as never,
  protocol: () =>
    'getNegotiatedProtocolVersion' in client ? client.getNegotiatedProtocolVersion() : undefined,
  close: () => client.close(),
})

export type Generation = 'old' | 'new'

const http = (key: string) => ({ requestInit: { headers: { Authorization: `Bearer ${key}` } } })

/** Speaks with the service at this address. */
export async function overHttp(
  generation: Generation,
  url: string,
  key: string,
): Promise<McpClient> {
  const address = new URL('/mcp', url)
  return generation === 'old'
    ? connected(new OldClient(info), new OldTransport(address, http(key)))
    : connected(newClient(), new NewTransport(address, http(key)))
}

/** Starts the program, which speaks with the service at this address, or with the database of the folder. */
export async function overStdio(
  generation: Generation,
  dataDir: string,
  service?: { url: string; key: string },
): Promise<McpClient> {
  const server = {
    command: process.execPath,
    args: [program, 'mcp', ...(service ? ['--url', service.url] : [])],
    env: environment(dataDir, service && { RAPPORT_KEY: service.key }) as Record<string, string>,
    stderr: 'ignore' as const,
  }
  return generation === 'old'
    ? connected(new OldClient(info), new OldStdio(server))
    : connected(newClient(), new NewStdio(server))
}

const newClient = () => new NewClient(info, { versionNegotiation: { mode: 'auto' } })

async function connected(client: Client, transport: unknown): Promise<McpClient> {
  await client.connect(transport as never)
  return toClient(client)
}
