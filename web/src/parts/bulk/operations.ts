// Bulk changes: look first, then do, then undo.
import { queryOptions } from '@tanstack/react-query'
import { type Body, call, type Reply } from '../../api/call.ts'
import { client } from '../../api/client.ts'
import { refreshLeads } from '../../api/leads.ts'
import { forget } from '../../api/undo.ts'
import { formatNumber } from '../../ui/format.ts'
import { imports } from '../../words/imports.ts'
import { words } from '../../words/index.ts'

export type Wanted = Pick<Body<'POST /operations'>, 'kind' | 'filter' | 'data'>
export type Preview = Reply<'POST /operations/preview'>
export type Operation = Reply<'GET /operations/{id}'>

export const previewOperation = (wanted: Wanted, signal?: AbortSignal) =>
  call('POST /operations/preview', { body: wanted, signal })

export const operationsQuery = queryOptions({
  queryKey: ['operations'],
  queryFn: async ({ signal }) => (await call('GET /operations', { signal })).operations,
  staleTime: 0,
})

function put(operation: Operation): void {
  client.setQueryData<Operation[]>(operationsQuery.queryKey, (old = []) => [
    operation,
    ...old.filter(({ id }) => id !== operation.id),
  ])
}

/** Starts the change. The service continues with it when the page is left. */
export async function startOperation(wanted: Wanted, confirm: string): Promise<Operation> {
  const operation = await call('POST /operations', {
    body: { ...wanted, confirm, wait: false },
  })
  put(operation)
  if (operation.state !== 'running') refreshLeads()
  return operation
}

export async function undoOperation(id: string): Promise<Operation> {
  forget(id)
  const operation = await call('POST /operations/{id}/undo', { id })
  put(operation)
  // What it undid says so, too.
  void client.invalidateQueries({ queryKey: operationsQuery.queryKey })
  refreshLeads()
  // With an import go the lists and tags that it made.
  void client.invalidateQueries({ queryKey: ['records'] })
  return operation
}

/** The undo of an operation, unless it was itself undone. */
export const undoIn = (operations: readonly Operation[], id: string): Operation | undefined =>
  operations.find(({ undo_of, undone_by }) => undo_of === id && undone_by === null)

/** What an import did, with the same numbers everywhere. */
export function importedOf({ data }: Pick<Operation, 'data'>): string {
  const { created = 0, updated = 0, companies = 0 } = (data ?? {}) as Record<string, number>
  return imports.done(created, updated, companies)
}

export interface Result {
  said: string
  /** How many leads it is about, if not all of them, and what went or stayed with them. */
  details: string[]
  isNothing: boolean
}

/** What an undo did, and what it left. A redo is the undo of an undo, of so many leads. */
export function resultOf(
  { undone = 0, kept = 0, kept_reasons = [], count, data }: Operation,
  redoOf?: number,
): Result {
  const { bulk } = words
  const how = redoOf === undefined ? bulk.undo : bulk.redo
  const isPart = kept > 0 || undone < (redoOf ?? count)
  const isNothing = undone === 0 && kept > 0
  const { removed = [], stays = [] } = (data ?? {}) as Beside
  const named = (records: NonNullable<Beside['stays']>) =>
    records.map(({ kind, name }) => `${bulk.beside[kind]} ${name}`)
  const part = bulk.part(formatNumber(undone), formatNumber(redoOf ?? count))
  const details = [
    ...(isPart && !isNothing ? [part] : []),
    ...kept_reasons.map(({ reason, leads }) => bulk.kept(formatNumber(leads), reason)),
    ...(removed.length > 0 ? [bulk.removedToo(named(removed))] : []),
    ...(stays.length > 0 ? [bulk.stays(named(stays))] : []),
  ]
  const said = isNothing ? how.nothing : isPart ? how.partly : how.done
  return { said, details, isNothing }
}

/** What an import created besides leads. */
type Beside = Partial<
  Record<'removed' | 'stays', { kind: keyof typeof words.bulk.beside; name: string }[]>
>
