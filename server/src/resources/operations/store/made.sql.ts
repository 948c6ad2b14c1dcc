// What an operation creates besides leads: its undo removes it unless somebody uses it.
import type { LeadRelation, leadRelations } from '@rapport/contract/leads/relations'
import type { Db } from '../../../db/driver.ts'
import { jsonb, run } from '../../../db/sql.ts'
import type { Author } from '../../../feed/author.ts'

/** The relations whose records an import makes. A list goes after its statuses. */
export const madeRelations = ['status', 'tags', 'lists'] as const satisfies LeadRelation[]
export type MadeRelation = (typeof madeRelations)[number]
export type MadeKind = 'attribute' | 'option' | (typeof leadRelations)[MadeRelation]['record']

export interface Made {
  kind: MadeKind
  ids: string[]
  /** Of options. */
  attribute?: string
}

/** A record that an undo has removed, with all its columns. */
export interface Removed {
  kind: MadeKind
  /** Of options. */
  attribute?: string
  row: { id: string; name: string } & Record<string, unknown>
}

/** Keeps steps of the operation, if there is one. */
async function keep(
  db: Db,
  { space, operation }: Author,
  what: 'made' | 'removed',
  steps: { value: object; ids: string[] }[],
): Promise<void> {
  if (!operation || steps.length === 0) return
  operation.steps++
  const rows = steps.map(({ value, ids }, index) => ({ part: index + 1, value, ids }))
  await run(db)`insert into operation_before (id_space, id_operation, step, part, what, new, ids)
    select ${space}::uuid, ${operation.id}::uuid, ${operation.steps}::int, part, ${what}, value, ids
    from jsonb_to_recordset(${jsonb(rows)}) as entry (part int, value jsonb, ids uuid[])`
}

export function keepMade(db: Db, by: Author, made: Made[]): Promise<void> {
  const steps = made.map(({ ids, ...value }) => ({ value, ids }))
  return keep(
    db,
    by,
    'made',
    steps.filter(({ ids }) => ids.length > 0),
  )
}

export function keepRemoved(db: Db, by: Author, removed: Removed[]): Promise<void> {
  const steps = removed.map((value) => ({ value, ids: [value.row.id] }))
  return keep(db, by, 'removed', steps)
}

export async function selectMade(db: Db, space: string, operation: string): Promise<Made[]> {
  const rows = await selectKept<Omit<Made, 'ids'>>(db, space, operation, 'made')
  return rows.map(({ value, ids }) => ({ ...value, ids }))
}

export async function selectRemoved(db: Db, space: string, operation: string): Promise<Removed[]> {
  const rows = await selectKept<Removed>(db, space, operation, 'removed')
  return rows.map(({ value }) => value)
}

function selectKept<T>(db: Db, space: string, operation: string, what: 'made' | 'removed') {
  return run<{ value: T; ids: string[] }[]>(db)`select new as value, ids from operation_before
    where id_space = ${space} and id_operation = ${operation} and what = ${what}
    order by step, part`
}
