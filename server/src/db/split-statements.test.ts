import { loadModule, parseSync } from 'libpg-query'
import { expect, test } from 'vitest'
import { readMigrations } from './migrate.ts'
import { splitStatements } from './split-statements.ts'

await loadModule()

/** The same by PostgreSQL's parser: each statement without what is around it. */
function parsed(text: string): unknown[] {
  return (parseSync(text).stmts ?? []).map(({ stmt }) => withoutPlaces(stmt))
}

/** The parser says where in the text each part is. That differs. */
function withoutPlaces(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutPlaces)
  if (typeof node !== 'object' || node === null) return node
  return Object.fromEntries(
    Object.entries(node)
      .filter(([name]) => !/^location$|list_(start|end)$/.test(name))
      .map(([name, value]) => [name, withoutPlaces(value)]),
  )
}

function expectSame(text: string): void {
  const statements = splitStatements(text)
  expect(statements.map((each) => parsed(each))).toEqual(parsed(text).map((each) => [each]))
}

test.each(readMigrations().map(({ name, sql }) => [name, sql]))(
  '%s is split as PostgreSQL does',
  (_name, text) => {
    expectSame(text)
  },
)

test.each([
  'select 1; select 2',
  'select 1;',
  ';;select 1;;',
  '-- only a comment; here\n',
  "-- it's one\nselect 1; -- and; that's it\nselect 2",
  '/* a; /* nested; */ b; */ select 1; select /* ; */ 2',
  "select 'a;b', 'it''s; fine'; select 2",
  String.raw`select e'it\'s; one', E'\\'; select 2`,
  String.raw`select 'no escape\'; select 2`,
  'select 1 as "a;""b"; select 2',
  'do $$ begin perform 1; end $$; select 2',
  'do $a$ begin perform $$;$$; end $a$; select 2',
  'select $é$;$é$; select 2',
  'create table a$b (c$ int); create table d (e$$ int); select 2',
  'prepare a as select $1::int; select 2',
  "select 'open -- no comment'; select '/* nor this'; select 2",
  'select 1 -- comment at the end',
  "select 'naïve; 😀'; select 2",
])('%j is split as PostgreSQL does', (text) => {
  expectSame(text)
})

test('the text of a statement stays as it is, with its comments', () => {
  expect(splitStatements('-- why\ncreate table a (\n  x int -- what\n);\nselect 2;\n')).toEqual([
    '-- why\ncreate table a (\n  x int -- what\n)',
    'select 2',
  ])
})
