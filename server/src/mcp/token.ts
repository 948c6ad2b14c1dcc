// The token of a preview: what is to be done, and the confirmation of the service, which is signed with the key. So
// nothing is stored, and a token that was changed or belongs to another key is refused.
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { badRequest } from '@rapport/contract/errors'
import type { LeadFilter } from '@rapport/contract/leads/filter'
import { type BulkKind, bulkKinds } from '@rapport/contract/operations.values'
import { readJson } from '../http/body.ts'

export interface Wanted {
  kind: BulkKind
  filter: LeadFilter
  data: Record<string, unknown>
}

export interface Confirmed extends Wanted {
  count: number
  confirm: string
}

type Packed = [BulkKind, LeadFilter, Wanted['data'], count: unknown, confirm: string]

/** As long as a filter with 100 leads and a change with 100 tags. */
export const maxToken = 8_000

export function writeToken({ kind, filter, data, count, confirm }: Confirmed): string {
  const json = JSON.stringify([kind, filter, data, count, confirm])
  return deflateRawSync(json, { level: 9 }).toString('base64url')
}

export function readToken(token: string): Confirmed {
  try {
    const packed = Buffer.from(token, 'base64url')
    const json = inflateRawSync(packed, { maxOutputLength: 100_000 })
    // Anybody can write a token: it is checked as a body is.
    const [kind, filter, data, count, confirm] = readJson(json).body as Packed
    const isKind = bulkKinds.includes(kind) && typeof confirm === 'string'
    if (isKind && isObject(filter) && isObject(data)) {
      return { kind, filter, data, count: Number(count), confirm }
    }
  } catch {
    // It is answered like any other token that is none.
  }
  const message = 'Must be the token of preview_change, unchanged'
  throw badRequest({ path: ['token'], code: 'token', message })
}

const isObject = (value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
