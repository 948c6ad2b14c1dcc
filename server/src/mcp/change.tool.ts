// Changes of many leads: a preview, which changes nothing, and its token, which is all that applying it takes.
import { createHash } from 'node:crypto'
import { contract } from '@rapport/contract'
import { keyKinds } from '@rapport/contract/duplicates.values'
import { ApiError, badRequest } from '@rapport/contract/errors'
import type { BulkData } from '@rapport/contract/leads/bulk'
import { mergeRules } from '@rapport/contract/leads/merge.values'
import type { Operation, Preview } from '@rapport/contract/operations'
import { AnyObject, OneOf } from '@rapport/contract/shapes'
import { Type } from 'typebox'
import { counted } from '../words.ts'
import { operationInWords } from './events.ts'
import { Filter, findAll, Names, readFilter } from './filter.ts'
import { maxToken, readToken, type Wanted, writeToken } from './token.ts'
import { type Answer, tool } from './tool.ts'
import { readValues } from './values.ts'
import type { Workspace } from './workspace.ts'

const { preview, create } = contract.operations.routes

const changes = {
  set: Type.Optional(
    AnyObject({
      description: 'Fields and attributes by their names, with new values; null clears',
    }),
  ),
  add_tags: Type.Optional(Names()),
  remove_tags: Type.Optional(Names()),
  status: Type.Optional(Type.String({ description: 'Or "List / Status"' })),
  owners: Type.Optional(Names('Instead of the owners so far')),
  add_owners: Type.Optional(Names()),
  remove_owners: Type.Optional(Names()),
  share_among: Type.Optional(Names('Members who get the leads in turn')),
  add_to_list: Type.Optional(Type.String()),
  remove_from_list: Type.Optional(Type.String()),
  move_from_list: Type.Optional(
    Type.String({ description: 'With add_to_list: move the leads out of this list' }),
  ),
  merge: Type.Optional(
    Type.Object(
      {
        keep: Type.String({
          description: 'The lead that stays: oldest, newest, fullest or its id',
        }),
        by: Type.Optional(
          OneOf(keyKinds, {
            description: 'Each group with this in common becomes one; without it, all that match',
          }),
        ),
        rule: Type.Optional(OneOf(mergeRules, { description: 'Whose value wins' })),
      },
      { additionalProperties: false },
    ),
  ),
  delete: Type.Optional(Type.Boolean()),
  restore: Type.Optional(Type.Boolean({ description: 'Deleted leads that match' })),
}

export const previewChange = tool({
  name: 'preview_change',
  title: 'Preview a bulk change',
  description:
    'Says how many leads a change would affect, shows ten of them before and after, and returns the token for apply_change. Changes nothing.',
  input: Type.Object({ filter: Filter, ...changes }, { additionalProperties: false }),
  annotations: { readOnlyHint: true, openWorldHint: false },
  needs: [create],

  async run({ call, workspace }, { filter: given, ...change }) {
    const wanted = {
      ...(await readChange(workspace, change)),
      filter: await readFilter(workspace, given),
    }
    return tellPreview(workspace, wanted, await call(preview, { body: wanted }))
  },
})

type Change = { [K in keyof typeof changes]?: unknown } & {
  set?: Record<string, unknown>
  merge?: { keep: string } & Omit<BulkData['merge'], 'survivor'>
  status?: string
  add_to_list?: string
  remove_from_list?: string
  move_from_list?: string
} & Partial<
    Record<
      'add_tags' | 'remove_tags' | 'owners' | 'add_owners' | 'remove_owners' | 'share_among',
      string[]
    >
  >

/** What the interface calls it. */
async function readChange(workspace: Workspace, change: Change): Promise<Omit<Wanted, 'filter'>> {
  const list = (name: 'add_to_list' | 'remove_from_list' | 'move_from_list') =>
    workspace.one('list', change[name] ?? '', [name])
  const asked = Object.keys(change).filter((name) => change[name as keyof Change] !== false)
  const [only] = asked
  const isOne = asked.length === 1
  if (isOne && only === 'delete') return { kind: 'delete', data: {} }
  if (isOne && only === 'restore') return { kind: 'restore', data: {} }
  if (isOne && change.merge) {
    const { keep: survivor, ...data } = change.merge
    return { kind: 'merge', data: { survivor, ...data } satisfies BulkData['merge'] }
  }
  if (isOne && only === 'remove_from_list') {
    return { kind: 'remove-leads', data: { id_list: await list(only) } }
  }
  if (isOne && change.share_among) {
    const owners = await findAll(workspace, 'member', change.share_among, ['share_among'])
    return { kind: 'distribute', data: { owners } satisfies BulkData['distribute'] }
  }
  if (asked.length === 2 && change.move_from_list && change.add_to_list) {
    const data = { id_list: await list('add_to_list'), id_source: await list('move_from_list') }
    return { kind: 'move-leads', data }
  }
  const alone = ['merge', 'delete', 'restore', 'remove_from_list', 'move_from_list', 'share_among']
  const wrong = asked.find((name) => alone.includes(name))
  if (only === undefined || wrong) {
    const message = wrong ? `${wrong} cannot be combined with this` : 'Say what to change'
    throw badRequest({ path: wrong ? [wrong] : [], code: 'change', message })
  }
  const { status, set = {} } = change
  const many = async (
    name: 'add_tags' | 'remove_tags' | 'owners' | 'add_owners' | 'remove_owners',
  ) => {
    const kind = name.endsWith('tags') ? 'tag' : 'member'
    const names = change[name]
    return names && findAll(workspace, kind, names, [name])
  }
  const data = {
    ...(await readValues(workspace, set, ['set'])),
    tags_connect: await many('add_tags'),
    tags_disconnect: await many('remove_tags'),
    owners: await many('owners'),
    owners_connect: await many('add_owners'),
    owners_disconnect: await many('remove_owners'),
    status_connect: status && [await workspace.one('status', status, ['status'])],
    lists_connect: change.add_to_list && [await list('add_to_list')],
  }
  const said = Object.entries(data).filter(([, value]) => value !== undefined)
  return { kind: 'update', data: Object.fromEntries(said) }
}

async function tellPreview(
  workspace: Workspace,
  wanted: Wanted,
  { count, changed, sample, shares, groups, merged, skipped, confirm, expires_at }: Preview,
): Promise<Answer> {
  const token = writeToken({ ...wanted, count, confirm })
  if (token.length > maxToken) {
    const message =
      'Too many values in filter and change. Tag the leads first, and filter by the tag.'
    throw badRequest({ path: ['filter'], code: 'too_large', message })
  }
  const members = shares && (await workspace.names('member'))
  return {
    says: `${counted(count, 'lead')} selected, ${changed} would change. Nothing is changed yet: ask the person, then call apply_change with the token.`,
    next: {
      ...{ selected: count, would_change: changed, token, expires_at },
      ...(groups !== undefined && { groups, merged, skipped }),
    },
    data: {
      sample: sample.map(({ before, after, ...lead }) => ({
        ...{ ...lead, before: plain(before), after: plain(after) },
      })),
      ...(shares && {
        shares: shares.map(({ id, ...numbers }) => ({
          member: members?.get(id) ?? id,
          ...numbers,
        })),
      }),
    },
  }
}

/** With names instead of records. */
const plain = (values: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map((one) => one?.name ?? one?.value ?? one) : value,
    ]),
  )

/** More take longer than clients wait for an answer. */
const maxWhileWaiting = 20_000

export const applyChange = tool({
  name: 'apply_change',
  title: 'Apply a previewed change',
  description:
    'Applies what preview_change showed, all or nothing. Sending the same token again does nothing more. undo_change undoes it.',
  input: Type.Object(
    { token: Type.String({ maxLength: maxToken }) },
    { additionalProperties: false },
  ),
  annotations: {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: true,
    openWorldHint: false,
  },
  needs: [create],

  async run({ call, workspace }, { token }) {
    const { count, ...wanted } = readToken(token)
    const once = `mcp ${createHash('sha256').update(token).digest('base64url')}`
    try {
      const body = { ...wanted, ...(count > maxWhileWaiting && { wait: false }) }
      return tellOperation(await call(create, { body, once }))
    } catch (error) {
      const again = error instanceof ApiError && (error.more as { preview?: Preview }).preview
      if (!again) throw error
      const answer = await tellPreview(workspace, wanted, again)
      return {
        ...answer,
        says: `Not applied: the leads have changed since, or the token is too old. ${answer.says}`,
      }
    }
  },
})

export const tellOperation = (operation: Operation): Answer => ({
  says: `${operationInWords(operation)}.`,
  next: {
    operation: operation.id,
    state: operation.state,
    changed: operation.changed,
    undoable_until: operation.undoable_until,
  },
  data: {},
})
