// The kinds of filter fields. Each function takes the SQL of a column or table, and returns a `Kind` that
// turns values into conditions. The caller joins conditions with AND, so a condition with OR is in
// parentheses.
import { fold } from '@rapport/contract/fold'
import {
  maxSearchWords,
  maxWordLength,
  rangesInWords,
  readRange,
} from '@rapport/contract/leads/filter.values'
import { escapeLike, raw, type Sql, sql } from '../db/sql.ts'
import { isId } from '../ids.ts'
import {
  allOf,
  among,
  anyOf,
  exists,
  type FilterContext,
  type Kind,
  nothing,
  opposite,
} from './compile.ts'

/** The id is one of these. This is the only array that selects nothing when it is empty. */
export function idSet(column: Sql): Kind<string[]> {
  return (given) => {
    const [id, ...others] = given.filter(isId)
    if (id === undefined) return nothing
    return others.length === 0 ? sql`${column} = ${id}::uuid` : among(column, [id, ...others])
  }
}

/** The id is none of these. */
export function excludedIdSet(column: Sql): Kind<string[]> {
  return (given) => {
    const ids = given.filter(isId)
    // As a subquery, because PostgreSQL then uses a hash table for any number of ids, even in a prepared
    // statement.
    return ids.length === 0 ? undefined : sql`${column} not in (select unnest(${ids}::uuid[]))`
  }
}

/** Selects on true and on false. Null counts as false. */
export function flag(condition: Sql): Kind<boolean> {
  return (wanted) => (wanted ? condition : opposite(condition))
}

/** Selects on true only. False is not a condition. */
export function whenTrue(condition: (context: FilterContext) => Sql): Kind<boolean> {
  return (wanted, { context }) => (wanted ? condition(context) : undefined)
}

/** One of a few words, each with its condition. Undefined is the condition that selects everything. */
export function choice<Value extends string>(
  conditions: Record<Value, Sql | undefined>,
): Kind<Value> {
  return (value, { path, fault }) => {
    if (Object.hasOwn(conditions, value)) return conditions[value]
    const values = Object.keys(conditions).join(', ')
    fault({ path, code: 'enum', message: `Must be one of ${values}` })
    return nothing
  }
}

/** Every word occurs in the text beside the record. The column `other` holds folded text. */
export function words(relation: Relation): Kind<string> {
  return (text, { context, path, fault }) => {
    if (text.trim() === '') return undefined
    const message = wordFault(foldedWords(text))
    if (message) fault({ path, code: 'words', message })
    return isRelated(relation, context, contains(relation, text))
  }
}

/** Fold before splitting: folding turns some characters into spaces, and removes a lone accent. */
const foldedWords = (text: string) => wordsOf(fold(text))

/** The different words of a search. */
export function wordsOf(text: string): string[] {
  return [...new Set(text.split(/\s+/).filter(Boolean))]
}

/** What is wrong with the words of a search. */
export function wordFault(all: string[]): string | undefined {
  if (all.length > maxSearchWords) {
    return `Must have at most ${maxSearchWords} different words. Leave out common words.`
  }
  return all.some((word) => word.length > maxWordLength)
    ? `A word must have at most ${maxWordLength} characters`
    : undefined
}

/** The condition on the table itself. */
export function contains({ other }: Relation, text: string): Sql {
  const has = (word: string) => sql`${raw(other)} like ${`%${escapeLike(word)}%`}`
  const each = decisive(foldedWords(text)).map((word) => anyOf(spellings(word).map(has)))
  return allOf(each) ?? nothing
}

/** As it is, and as digits if it may be a part of a phone number. */
const spellings = (word: string) => [word, ...numberWord(word)]

/**
 * Without the words that occur wherever another one does: "ex" is in each text that has "example". Ten common
 * words of which eight are parts of the others take a third of the time.
 */
function decisive(all: string[]): string[] {
  return all.reduce(
    (left, word) =>
      left.some((other) => other !== word && implies(other, word))
        ? left.filter((other) => other !== word)
        : left,
    all,
  )
}

const implies = (word: string, part: string) =>
  spellings(word).every((one) => spellings(part).some((other) => one.includes(other)))

/** A shorter one would be in most numbers, and in no index. */
const leastDigits = 3

/** The digits of a word that may be part of a phone number as others write it: 555-0100 is 5550100. */
export function numberWord(word: string): string[] {
  const digits = word.replace(/[()+./-]/g, '')
  const isNumber = /^[0-9]+$/.test(digits) && digits.length >= leastDigits
  return isNumber && digits !== word ? [digits] : []
}

/** Whole numbers and ranges of them. */
export function ranges(column: Sql): Kind<string[]> {
  return (entries, { path, fault }) => {
    const alternatives = entries.map((entry, index) => {
      const at = [...path, index]
      const range = readRange(entry)
      if (!range) {
        const message = `Must be a whole number or a range: ${rangesInWords}`
        fault({ path: at, code: 'range', message })
        return nothing
      }
      const { from, to } = range
      if (from === undefined) return sql`${column} <= ${to}::bigint`
      if (from === to) return sql`${column} = ${from}::bigint`
      if (to === undefined) return sql`${column} >= ${from}::bigint`
      if (Number(from) > Number(to)) {
        fault({ path: at, code: 'range', message: 'The range ends before it starts' })
      }
      return sql`${column} between ${from}::bigint and ${to}::bigint`
    })
    return alternatives.length === 0 ? undefined : anyOf(alternatives)
  }
}

/** A table next to the filtered records, with the columns id_space, owner and other. */
export interface Relation {
  /** The SQL of the filtered record's id. */
  id: Sql
  table: string
  /** Its column that holds that id. */
  owner: string
  /** Its column with what the record is related to. */
  other: string
}

/** The record is related to one of these ids. */
export function related(relation: Relation): Kind<string[]> {
  const column = raw(relation.other)
  return (ids, { context }) => {
    const condition = oneOf(column, ids)
    return condition && isRelated(relation, context, condition)
  }
}

/** The record has at least one relation. */
export function hasAny(relation: Relation) {
  return (context: FilterContext) => isRelated(relation, context)
}

/** The record is related to one of these ids, in one of these states. An empty array means any. */
export function inState<State extends string>(
  relation: Relation,
  states: readonly State[],
): Kind<{ id?: string[]; status?: State[] }> {
  const column = raw(relation.other)
  return ({ id = [], status = [] }, { context, path, fault }) => {
    const wanted = new Set<string>(status)
    const known = states.filter((state) => wanted.delete(state))
    if (wanted.size > 0) {
      const message = `Must be one of ${states.join(', ')}`
      fault({ path: [...path, 'status'], code: 'enum', message })
    }
    const ids = oneOf(column, id)
    const flags = known.length > 0 ? [anyOf(known.map(raw))] : []
    const condition = allOf(ids ? [ids, ...flags] : flags)
    return condition && isRelated(relation, context, condition)
  }
}

/** The record has such a row in a table beside it. */
export function isRelated(
  { id, table, owner }: Pick<Relation, 'id' | 'table' | 'owner'>,
  { space }: FilterContext,
  condition?: Sql,
): Sql {
  // A cluster refuses a subquery that selects nothing: its planner no longer sees the workspace in it.
  if (condition === nothing) return nothing
  // Every table of every subquery names the workspace, so that a distributed database knows the one node
  // to ask.
  const only = condition ? sql` and ${condition}` : sql``
  return exists(
    sql`select from ${raw(table)} where id_space = ${space} and ${raw(owner)} = ${id}${only}`,
  )
}

/** Returns undefined (no condition) only for an empty array. Ids that are not UUIDs match nothing. */
export function oneOf(column: Sql, given: string[]): Sql | undefined {
  if (given.length === 0) return undefined
  const ids = given.filter(isId)
  const [id, ...others] = ids
  if (id === undefined) return nothing
  // With one id PostgreSQL knows that a record has at most one such row, and plans better.
  return others.length === 0 ? sql`${column} = ${id}::uuid` : sql`${column} = any(${ids}::uuid[])`
}
