// Requests that need something of another response first: the token of a preview, the number of an event.
import { exampleConfirm, exampleSeq } from '@rapport/contract/operations'
import { expect } from 'vitest'
import type { Workspace } from './harness.ts'

/** The body with the token of a preview, if it has the place for one. */
export async function withConfirm(
  space: Pick<Workspace, 'post'>,
  path: string,
  body: unknown,
): Promise<unknown> {
  const wanted = body as { confirm?: string } | undefined
  if (wanted?.confirm !== exampleConfirm) return body
  const isErase = path === '/leads/erase'
  const preview = await space.post(
    '/operations/preview',
    isErase ? { ...wanted, kind: 'erase' } : wanted,
  )
  return { ...wanted, confirm: preview.body.confirm ?? exampleConfirm }
}

/** The body with the number of a change of the lead in the path, if it has the place for one. */
export async function withSeq(
  space: Pick<Workspace, 'get' | 'patch'>,
  path: string,
  body: unknown,
): Promise<unknown> {
  if ((body as { seq?: number } | undefined)?.seq !== exampleSeq) return body
  const lead = path.replace(/\/undo$/, '')
  const city = `City ${Math.random()}`
  await space.patch(lead, { city })
  const newest = async () => (await space.get(`${lead}/events`)).body.events[0]
  await expect.poll(async () => (await newest())?.changed.city?.[1]).toBe(city)
  return { seq: (await newest()).seq }
}
