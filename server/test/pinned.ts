// Checks that a statement names the workspace for every table it touches: `id_space = $1`. On a
// distributed database such a statement runs on one node; one that does not runs on all of them.
import { loadModule, parseSync } from 'libpg-query'
import type { Db } from '../src/db/driver.ts'
import { acrossWorkspaces, run } from '../src/db/sql.ts'

await loadModule()

type Node = { [name: string]: unknown }

interface Table {
  name: string
  alias: string
}

/** Tables that belong to no workspace, though a row may name one. */
export const globalTables = new Set([
  'api_key',
  'sign_in_link',
  'pending_sign_in',
  'delivery_queue',
  'calendar_token',
])

/** Most statements are those of other test files too. */
const verdicts = new Map<string, string[]>()

/** Throws an error that lists the statements with a table that is not pinned. */
export async function expectPinned(db: Db, statements: Iterable<string>): Promise<void> {
  const rows = await run<{ name: string }[]>(
    db,
  )`select table_name as name from information_schema.columns
      where table_schema = 'public' and column_name = 'id_space'`
  const tenantTables = new Set(rows.map(({ name }) => name))
  const faults = [...statements].flatMap((text) => {
    const tables = verdicts.get(text) ?? unpinnedTables(text, tenantTables)
    verdicts.set(text, tables)
    return tables.length > 0 ? [`${tables.join(', ')} in: ${text}`] : []
  })
  if (faults.length > 0) throw new Error(`Without id_space = $…:\n${faults.join('\n\n')}`)
}

/** The tables that the statement touches without naming the workspace. */
export function unpinnedTables(text: string, tenantTables: ReadonlySet<string>): string[] {
  if (text.includes(acrossWorkspaces.text)) return []
  const found: string[] = []
  const isTenant = (name: string) => tenantTables.has(name) && !globalTables.has(name)

  function visit(node: unknown, ctes: ReadonlySet<string>): void {
    if (Array.isArray(node)) {
      for (const each of node) visit(each, ctes)
      return
    }
    if (typeof node !== 'object' || node === null) return
    for (const [kind, value] of Object.entries(node)) {
      if (isStatement(kind)) visitStatement(kind, value as Node, ctes)
      else visit(value, ctes)
    }
  }

  function visitStatement(kind: StatementKind, node: Node, outer: ReadonlySet<string>): void {
    const ctes = new Set([...outer, ...cteNames(node)])
    const tables: Table[] = []
    const conditions: unknown[] = []
    const from = (item: unknown) => readFrom(item as Node, tables, conditions)
    if (kind !== 'InsertStmt' && node.relation) from({ RangeVar: node.relation })
    for (const item of [node.fromClause, node.usingClause].flat()) if (item) from(item)
    if (node.whereClause) conditions.push(node.whereClause)
    const pins = conditions.flatMap(conjuncts).flatMap(pinnedAlias)
    for (const { name, alias } of tables) {
      if (!isTenant(name) || ctes.has(name)) continue
      if (!pins.includes(alias) && !pins.includes('')) found.push(alias)
    }
    if (kind === 'InsertStmt') {
      const { relname } = node.relation as { relname: string }
      if (isTenant(relname) && !insertsWorkspace(node)) found.push(`insert into ${relname}`)
    }
    // What is inside: other statements, each with tables of its own. A branch of a union stands bare.
    for (const [name, value] of Object.entries(node)) {
      if ((name === 'larg' || name === 'rarg') && value)
        visitStatement('SelectStmt', value as Node, ctes)
      else visit(value, ctes)
    }
  }

  for (const { stmt } of parseSync(text).stmts ?? []) visit(stmt, new Set())
  return found
}

const statementKinds = ['SelectStmt', 'InsertStmt', 'UpdateStmt', 'DeleteStmt'] as const
type StatementKind = (typeof statementKinds)[number]
const isStatement = (kind: string): kind is StatementKind =>
  statementKinds.includes(kind as StatementKind)

function cteNames(node: Node): string[] {
  const { ctes = [] } = (node.withClause ?? {}) as {
    ctes?: { CommonTableExpr: { ctename: string } }[]
  }
  return ctes.map(({ CommonTableExpr }) => CommonTableExpr.ctename)
}

function readFrom(item: Node, tables: Table[], conditions: unknown[]): void {
  const range = item.RangeVar as { relname: string; alias?: { aliasname: string } } | undefined
  if (range) tables.push({ name: range.relname, alias: range.alias?.aliasname ?? range.relname })
  const joined = item.JoinExpr as { larg: Node; rarg: Node; quals?: unknown } | undefined
  if (!joined) return
  readFrom(joined.larg, tables, conditions)
  readFrom(joined.rarg, tables, conditions)
  if (joined.quals) conditions.push(joined.quals)
}

/** The conditions that all must hold. */
function conjuncts(condition: unknown): Node[] {
  const node = condition as { BoolExpr?: { boolop: string; args: unknown[] } }
  if (node.BoolExpr?.boolop === 'AND_EXPR') return node.BoolExpr.args.flatMap(conjuncts)
  return [condition as Node]
}

/** `alias.id_space = $1`: the alias, or '' when the column is alone. */
function pinnedAlias(condition: Node): string[] {
  const equation = condition.A_Expr as
    | { kind: string; name?: { String?: { sval: string } }[]; lexpr: Node; rexpr: Node }
    | undefined
  if (equation?.kind !== 'AEXPR_OP' || equation.name?.[0]?.String?.sval !== '=') return []
  const { lexpr, rexpr } = equation
  const column = isGiven(rexpr) ? lexpr : isGiven(lexpr) ? rexpr : undefined
  const reference = column?.ColumnRef as { fields: { String?: { sval: string } }[] } | undefined
  const names = reference?.fields.map((field) => field.String?.sval ?? '*') ?? []
  return names.at(-1) === 'id_space' ? [names.at(-2) ?? ''] : []
}

/** A parameter, or a text in the statement, maybe with its type. */
function isGiven(node: Node): boolean {
  const cast = node.TypeCast as { arg: Node } | undefined
  return cast ? isGiven(cast.arg) : 'ParamRef' in node || 'A_Const' in node
}

/** Every row that is inserted gets the workspace that is given. */
function insertsWorkspace(node: Node): boolean {
  const columns = (node.cols as { ResTarget: { name: string } }[] | undefined) ?? []
  const at = columns.findIndex(({ ResTarget }) => ResTarget.name === 'id_space')
  const select = (node.selectStmt as { SelectStmt: Node } | undefined)?.SelectStmt
  if (at < 0 || !select) return false
  const rows = select.valuesLists as { List: { items: Node[] } }[] | undefined
  if (rows) return rows.every(({ List }) => isGiven(List.items[at] as Node))
  return branches(select).every(({ targetList }) =>
    isGiven((targetList as { ResTarget: { val: Node } }[])[at]?.ResTarget.val ?? {}),
  )
}

function branches(select: Node): Node[] {
  const { larg, rarg } = select as { larg?: Node; rarg?: Node }
  return larg && rarg ? [...branches(larg), ...branches(rarg)] : [select]
}
