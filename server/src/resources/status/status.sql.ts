import type { Db, Json } from '../../db/connect.ts'

export interface StatusRow {
  id: string
  id_space: string
  id_list: string | null
  type: 'DEAL_WON' | 'DEAL_LOST' | null
  name: string
  color: string
  icon: string
  instructions: string
  order: number
  success_rate: number
  leads_order: unknown
  ai_enabled: boolean
  ai_instructions: unknown
  ai_instructions_text: string
  ai_rules: unknown
  ai_rules_text: string
  created_at: string
  updated_at: string
}

const columns = [
  'id',
  'id_space',
  'id_list',
  'type',
  'name',
  'color',
  'icon',
  'instructions',
  'order',
  'success_rate',
  'leads_order',
  'ai_enabled',
  'ai_instructions',
  'ai_instructions_text',
  'ai_rules',
  'ai_rules_text',
  'created_at',
  'updated_at',
] as const

export interface NewStatus {
  id: string
  id_list: string | null
  name: string
  color: string
  success_rate: number
  ai_enabled: boolean
  /** Absent: behind the others of its list. */
  order: number | undefined
}

export async function insertStatus(
  db: Db,
  space: string,
  status: NewStatus,
  now: Date,
): Promise<StatusRow> {
  const [row] = await db<[StatusRow]>`
    insert into status (
      id_space, id, id_list, name, color, icon, instructions, "order", success_rate,
      ai_enabled, ai_instructions_text, ai_rules_text, created_at, updated_at
    )
    select ${space}, ${status.id}, ${status.id_list}::uuid, ${status.name}, ${status.color}, '', '',
      coalesce(${status.order ?? null}::float8, max("order") + 1, 0), ${status.success_rate},
      ${status.ai_enabled}, '', '', ${now}::timestamptz, ${now}::timestamptz
    from status
    where id_space = ${space} and id_list is not distinct from ${status.id_list}::uuid
    returning ${db(columns)}`
  return row
}

export function selectStatuses(db: Db, space: string): Promise<StatusRow[]> {
  return db<StatusRow[]>`
    select ${db(columns)} from status where id_space = ${space}
    order by id_list nulls first, "order", id`
}

export interface StatusChange {
  id: string
  order?: number
  leads_order?: unknown[] | null
  success_rate?: number
  name?: string
  type?: StatusRow['type']
  color?: string
}

/** Locked by id first, so that two who change the same ones do not wait for each other. Answers the ids. */
export async function updateStatuses(
  db: Db,
  space: string,
  changes: StatusChange[],
  now: Date,
): Promise<string[]> {
  const ids = changes.map(({ id }) => id)
  await db`
    select id from status where id_space = ${space} and id = any(${ids}::uuid[])
    order by id for no key update`
  // A field that was not sent is absent from its object; one sent as null is there.
  const rows = await db<{ id: string }[]>`
    with change as (
      select (value->>'id')::uuid as id, value
      from jsonb_array_elements(${db.json(changes as unknown as Json)}::jsonb)
    )
    update status set
      "order" = coalesce((change.value->>'order')::float8, status."order"),
      success_rate = coalesce((change.value->>'success_rate')::float8, status.success_rate),
      name = coalesce(change.value->>'name', status.name),
      color = coalesce(change.value->>'color', status.color),
      type = case when change.value ? 'type' then change.value->>'type' else status.type end,
      leads_order = case when change.value ? 'leads_order'
        then nullif(change.value->'leads_order', 'null'::jsonb) else status.leads_order end,
      updated_at = ${now}
    from change
    where status.id_space = ${space} and status.id = change.id
    returning status.id`
  return rows.map(({ id }) => id)
}

export async function deleteStatus(db: Db, space: string, id: string): Promise<boolean> {
  const rows = await db`delete from status where id_space = ${space} and id = ${id} returning id`
  return rows.length > 0
}

export async function deleteStatusesOfList(db: Db, space: string, list: string): Promise<void> {
  await db`delete from status where id_space = ${space} and id_list = ${list}`
}
