// The records that rows name: looked up by id or name, created if missing.
import { maxName } from '@rapport/contract/shapes'
import { colorAt, orderOfStage, stageNamed } from '@rapport/contract/stages.values'
import type { Definitions } from '@rapport/contract/transfer.lines'
import { selectMembers } from '../../../../access/access.sql.ts'
import type { Db } from '../../../../db/driver.ts'
import type { Author } from '../../../../feed/author.ts'
import { recordCreated } from '../../../../feed/record.sql.ts'
import { pick } from '../../../../http/pick.ts'
import { isId, newId } from '../../../../ids.ts'
import { type AttributeRow, lockAttributes } from '../../../../references/attributes.ts'
import { lockLists } from '../../../../references/lists.ts'
import { insertList, selectLists } from '../../../lists/lists.sql.ts'
import { keepMade, type MadeRelation } from '../../../operations/store/made.sql.ts'
import { insertStatus, selectStatuses } from '../../../status/status.sql.ts'
import { insertTag, selectTags } from '../../../tags/tags.sql.ts'
import { RowFault } from '../../file/errors.ts'
import { statusMark } from '../../file/names.ts'
import type { Column } from '../columns/column.ts'
import { requireRoomOfImport } from '../columns/room.ts'
import { shown } from '../values/read-values.ts'
import { loose } from '../values/value-rules.ts'
import type { Name } from './read-row.ts'
import { UnknownValues } from './unknown-values.ts'

interface Named {
  id: string
  name: string
}

export interface Status extends Named {
  id_list: string | null
}

/** A column with more names than this is not a column of names. */
const maxMade = 1000

const looksLikeId = (text: string): boolean => isId(text)
const listKeys = ['emoji', 'description', 'color', 'auto_status'] as const
/** A definition comes from a file, so only these keys of it are written. */
const said = <T extends object, K extends keyof T>(definition: T | undefined, keys: readonly K[]) =>
  definition && pick(definition, keys)
const called = (wanted: string) => (one: { name: string }) => one.name.trim() === wanted
const isIn = (wanted: string | null) => (one: { id_list: string | null }) => one.id_list === wanted
const idsOf = (rows: Named[]) => rows.map(({ id }) => id)

class Names<T extends Named> {
  readonly made: T[] = []
  readonly #byId = new Map<string, T>()
  readonly #byName = new Map<string, T>()
  readonly #byLoose = new Map<string, T>()

  constructor(rows: T[]) {
    for (const row of rows) this.#add(row)
  }

  get all(): T[] {
    return [...this.#byId.values()]
  }

  byId(id: string): T | undefined {
    return this.#byId.get(id.toLowerCase())
  }

  find(text: string): T | undefined {
    return this.byId(text) ?? this.#byName.get(text) ?? this.#byLoose.get(loose(text))
  }

  make(row: T): T {
    this.made.push(row)
    this.#add(row)
    return row
  }

  /** If several records have the same name, the first is used. */
  #add(row: T): void {
    this.#byId.set(row.id, row)
    if (!this.#byName.has(row.name)) this.#byName.set(row.name, row)
    if (!this.#byLoose.has(loose(row.name))) this.#byLoose.set(loose(row.name), row)
  }
}

export class Catalog {
  readonly attributes: Map<string, AttributeRow>
  /** What rows name and the workspace does not have, unless the request decides about it. */
  readonly unknown = new UnknownValues()
  readonly #lists: Names<Named>
  readonly #tags: Names<Named>
  readonly #status: Names<Status>
  /** Statuses of different lists often have one name. */
  readonly #statusByName = new Map<string, Status[]>()
  readonly #members: Map<string, string>
  /** Created by earlier batches. */
  readonly #madeBefore: number
  /** The rows are from our own export, which has everything that a lead has. */
  readonly isOfExport: boolean
  readonly #defined: Partial<Definitions>

  constructor(
    rows: {
      attributes: AttributeRow[]
      lists: Named[]
      tags: Named[]
      status: Status[]
      members: { id: string; email: string; name: string }[]
    },
    madeBefore: number,
    definitions?: Definitions,
  ) {
    this.attributes = new Map(rows.attributes.map((row) => [row.id, row]))
    this.#lists = new Names(rows.lists)
    this.#tags = new Names(rows.tags)
    this.#status = new Names(rows.status)
    for (const status of rows.status) this.#addStatus(status)
    this.#members = membersByName(rows.members)
    this.#madeBefore = madeBefore
    this.isOfExport = definitions !== undefined
    this.#defined = definitions ?? {}
  }

  list(name: Name): string {
    const before = this.#lists.made.length
    const list = this.#named(this.#lists, name, 'list')
    if (this.#lists.made.length > before) {
      const stages = this.#defined.status?.filter((stage) => stage.list?.trim() === list.name)
      for (const stage of stages ?? []) this.#makeStatus(stage.name, list.id)
    }
    return list.id
  }

  tag(name: Name): string {
    return this.#named(this.#tags, name, 'tag').id
  }

  /** The member with this id, address or name, if there is one. */
  member(text: string): string | undefined {
    return this.#members.get(loose(text))
  }

  /**
   * "Won", or "Sales > Won", or "> Won" without list. Of several that of one of the row's lists. A new one whose
   * list is not said is one of `home`, or else of the list that its file or its column is about.
   */
  status(named: Name, lists: string[], home: string | undefined): Status | undefined {
    const { name: text, column } = named
    const rule = column?.values?.rules.get(loose(text))
    if (rule?.way === 'use') {
      const known = this.#knownStatus({ name: rule.to }, lists)
      if (known) return known
      throw new RowFault(`No status ${shown(rule.to)} in this workspace`)
    }
    const isLeft = rule?.way === 'empty' || rule?.way === 'reject'
    const known = isLeft ? undefined : this.#knownStatus(named, lists)
    if (known) return known
    if (looksLikeId(text)) throw new RowFault(`No status ${text} in this workspace`)
    if (!rule && column) this.unknown.add(column, text)
    const way = rule?.way ?? column?.values?.unknown
    if (way === 'empty') return undefined
    if (way === 'reject') throw new RowFault(`No status ${shown(text)} in this workspace`)
    const { list, name } = statusParts(named)
    if (list === undefined) return this.#makeStatus(name, home ?? this.#listOf(column))
    const id_list = list === null ? null : this.list({ name: list })
    // A new list may come with its statuses.
    return this.#statusOf({ list, name }) ?? this.#makeStatus(name, id_list)
  }

  /** The only list of the file, or else that of all stages in the column that are known. Null if there is none. */
  #listOf({ values }: Pick<Column, 'values'> = {}): string | null {
    if (values?.list) return this.list({ name: values.list })
    const found = new Set<string | null>()
    for (const value of values?.distinct ?? []) {
      const rule = values?.rules.get(loose(value))
      const name = rule?.way === 'use' ? rule.to : value
      for (const { id_list } of this.#statusByName.get(loose(name)) ?? []) found.add(id_list)
    }
    const [list = null] = found
    return found.size === 1 ? list : null
  }

  #knownStatus(named: Name, lists: string[]): Status | undefined {
    const { id = '', name: text } = named
    const given = this.#status.byId(id) ?? this.#status.byId(text)
    if (given) return given
    if (named.list !== undefined) return this.#statusOf(statusParts(named))
    const same = this.#statusByName.get(loose(text)) ?? []
    const found =
      same.find(({ id_list }) => id_list !== null && lists.includes(id_list)) ??
      same.find(({ id_list }) => id_list === null) ??
      (same.length === 1 ? same[0] : undefined)
    if (found) return found
    if (same.length > 1) {
      throw new RowFault(
        `Several lists have a status ${shown(text)}. Write "List${statusMark}Status"`,
      )
    }
    return this.#statusOf(statusParts(named))
  }

  /** The status of a list, or one without list. */
  #statusOf({ list = null, name }: StatusParts): Status | undefined {
    const id_list = list === null ? null : this.#lists.find(list)?.id
    const same = this.#statusByName.get(loose(name)) ?? []
    return same.find((status) => status.id_list === id_list)
  }

  #makeStatus(name: string, id_list: string | null): Status {
    const made = this.#make(this.#status, { id: newId(), name: name.trim(), id_list }, 'status')
    this.#addStatus(made)
    return made
  }

  #addStatus(status: Status): void {
    const name = loose(status.name)
    this.#statusByName.set(name, [...(this.#statusByName.get(name) ?? []), status])
  }

  /** What the rows need and the workspace does not have. */
  get made(): Record<MadeRelation, Named[]> {
    return { lists: this.#lists.made, status: this.#status.made, tags: this.#tags.made }
  }

  async saveMade(db: Db, by: Author): Promise<void> {
    const { space, now } = by
    const { lists = [], status: stages = [], tags = [] } = this.#defined
    for (const list of this.#lists.made) {
      const color = colorAt(this.#lists.all.indexOf(list))
      const made = { color, ...said(lists.find(called(list.name)), listKeys), ...list }
      await recordCreated(db, by, 'list', await insertList(db, space, made, now))
    }
    const saved = this.#status.made.length > 0 ? await selectStatuses(db, space) : []
    for (const status of this.#status.made) {
      const { id_list } = status
      const ofList = saved.filter(isIn(id_list))
      const list = id_list === null ? null : this.#lists.byId(id_list)?.name
      const defined = stages.find((stage) => stage.list === list && called(status.name)(stage))
      const stage = {
        ...stageNamed(status.name, ofList),
        ...said(defined, ['color', 'success_rate', 'type']),
      }
      // Those of an export are in their order.
      const order = defined ? undefined : orderOfStage(stage, ofList)
      const made = { ...stage, ...status, ai_enabled: false, order }
      const row = await insertStatus(db, space, made, now)
      saved.push(row)
      await recordCreated(db, by, 'status', row)
    }
    for (const tag of this.#tags.made) {
      const color = colorAt(this.#tags.all.indexOf(tag))
      const made = { color, ...said(tags.find(called(tag.name)), ['color']), ...tag }
      await recordCreated(db, by, 'tag', await insertTag(db, space, made, now))
    }
    await keepMade(db, by, [
      { kind: 'list', ids: idsOf(this.#lists.made) },
      { kind: 'status', ids: idsOf(this.#status.made) },
      { kind: 'tag', ids: idsOf(this.#tags.made) },
    ])
    if (this.#lists.made.length > 0) await requireRoomOfImport(db, space, 'list')
    if (this.#status.made.length > 0) await requireRoomOfImport(db, space, 'status')
    if (this.#tags.made.length > 0) await requireRoomOfImport(db, space, 'tag')
  }

  #named(names: Names<Named>, { id = '', name: text }: Name, what: string): Named {
    const found = names.byId(id) ?? names.find(text)
    if (found) return found
    if (looksLikeId(text)) throw new RowFault(`No ${what} ${text} in this workspace`)
    return this.#make(names, { id: newId(), name: text.trim() }, what)
  }

  #make<T extends Named>(names: Names<T>, row: T, what: string): T {
    if (row.name.length > maxName) {
      throw new RowFault(`The name of a ${what} has at most ${maxName} characters`)
    }
    const made = Object.values(this.made).reduce((sum, rows) => sum + rows.length, 0)
    if (this.#madeBefore + made >= maxMade) {
      throw new RowFault(
        `More than ${maxMade} new names, so ${what} ${shown(row.name)} was not created`,
      )
    }
    return names.make(row)
  }
}

interface StatusParts {
  name: string
  /** Null for none, undefined if nothing is said about it. */
  list?: string | null
}

/** "Sales > Won" is the status "Won" of the list "Sales". */
function statusParts({ name: text, list }: Name): StatusParts {
  if (list !== undefined) return { list, name: text.trim() }
  const mark = ` ${text}`.indexOf(statusMark)
  if (mark < 0) return { name: text.trim() }
  const name = text.slice(mark + statusMark.length - 1).trim()
  return { list: mark > 0 ? text.slice(0, mark).trim() : null, name }
}

/** By id, email and name, also as "Byron, Ada". A name that several members share finds none of them. */
function membersByName(members: { id: string; email: string; name: string }[]) {
  const found = new Map<string, string>()
  const several = new Set<string>()
  for (const { id, name } of members) {
    const words = loose(name).split(/\s+/)
    const last = words.pop() ?? ''
    for (const called of [loose(name), `${last}, ${words.join(' ')}`]) {
      if (found.has(called)) several.add(called)
      found.set(called, id)
    }
  }
  for (const name of several) found.delete(name)
  for (const { id, email } of members) found.set(id, id).set(loose(email), id)
  return found
}

export interface CatalogNeeds {
  attributes: string[]
  /** Attributes of a dry run, which does not create them. */
  unmade: AttributeRow[]
  madeBefore: number
  definitions: Definitions | undefined
}

/** What is in it can neither change nor be deleted before the transaction ends. */
export async function loadCatalog(
  db: Db,
  space: string,
  { attributes: ids, unmade, madeBefore, definitions }: CatalogNeeds,
): Promise<Catalog> {
  const all = await selectLists(db, space)
  const kept = new Set(
    await lockLists(
      db,
      space,
      all.map(({ id }) => id),
    ),
  )
  const lists = all.filter(({ id }) => kept.has(id))
  const attributes = [...(await lockAttributes(db, space, ids)), ...unmade]
  const tags = await selectTags(db, space)
  const status = await selectStatuses(db, space)
  const members = await selectMembers(db, space)
  return new Catalog({ attributes, lists, tags, status, members }, madeBefore, definitions)
}
