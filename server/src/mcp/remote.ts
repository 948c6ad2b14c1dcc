// The tools of a service, from another process: for clients that start a program and talk to it over stdio.
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  type Tool,
} from '@modelcontextprotocol/server'
import { version } from '../version.ts'
import type { Tools } from './protocol.ts'

const protocol = '2026-07-28'

export interface Sent {
  headers: Record<string, string>
  body: string
}

/** Sends a POST to /mcp of the service. */
export type Send = (message: Sent) => Promise<{ status: number; text: string }>

interface Params {
  name?: string
  arguments?: unknown
}

/** A request of the newest revision, which needs no session. */
export function messageOf(method: string, params: Params = {}): Sent {
  const _meta = {
    [PROTOCOL_VERSION_META_KEY]: protocol,
    [CLIENT_INFO_META_KEY]: { name: 'rapport mcp', version },
    [CLIENT_CAPABILITIES_META_KEY]: {},
  }
  return {
    headers: {
      Accept: 'application/json, text/event-stream',
      'Content-Type': 'application/json',
      'MCP-Protocol-Version': protocol,
      'Mcp-Method': method,
      ...(params.name && { 'Mcp-Name': params.name }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }),
  }
}

export function remoteTools(send: Send): Tools {
  async function request(method: string, params?: Params) {
    const { status, text } = await send(messageOf(method, params))
    const { result, error, message } = parse(text)
    if (result) return result
    const said = error?.message ?? message ?? text.slice(0, 200)
    throw new ProtocolError(error?.code ?? ProtocolErrorCode.InternalError, `${status}: ${said}`)
  }

  return {
    list: async () => (await request('tools/list')).tools as Tool[],
    async call(name, args) {
      if (!/^\w{1,64}$/.test(name)) return undefined
      const { content, structuredContent, isError } = await request('tools/call', {
        ...{ name, arguments: args },
      })
      return { content, structuredContent, ...(isError === true && { isError }) } as CallToolResult
    },
  }
}

interface Message {
  result?: Record<string, unknown>
  error?: { code: number; message: string }
  /** Of a refusal that is not one of the protocol, such as that of a wrong key. */
  message?: string
}

function parse(text: string): Message {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}
