// A bulk change in three steps: look at it, do it, take it back.
import type { Options } from './options.ts'
import type { BulkData, BulkKind, LeadFilter, Operation, Preview, Resources } from './routes.ts'

/** What a kind of change does, and to which leads. */
export type Wanted<Kind extends BulkKind> = { filter: LeadFilter } & (object extends BulkData[Kind]
  ? { data?: BulkData[Kind] }
  : { data: BulkData[Kind] })

/** What a change would do. Nothing has happened yet. */
export interface Change extends Preview {
  /** Does it, all or nothing. @throws {ConflictError} other leads match by now: its body has a new `preview`. */
  apply(options?: Options): Promise<Done>
}

/** An operation that was done. */
export interface Done extends Operation {
  /** Restores each value that is still what the operation set. An undo can be undone too. */
  undo(options?: Options): Promise<Done>
}

/** As the routes take it. */
type Asked = { kind: BulkKind; filter: LeadFilter; data?: Record<string, unknown> }

type Operations = Pick<Resources['operations'], 'preview' | 'create' | 'undo'>

export async function previewed<Kind extends BulkKind>(
  operations: Operations,
  kind: Kind,
  wanted: Wanted<Kind>,
  options?: Options,
): Promise<Change> {
  const asked = { kind, ...wanted } as Asked
  const preview = await operations.preview(asked, options)
  const { confirm } = preview
  return {
    ...preview,
    apply: async (options) =>
      done(operations, await operations.create({ ...asked, confirm }, options)),
  }
}

function done(operations: Operations, operation: Operation): Done {
  return {
    ...operation,
    undo: async (options) => done(operations, await operations.undo(operation.id, options)),
  }
}
