// Requests that need the token of a preview first.
import { exampleConfirm } from '@rapport/contract/operations'
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
