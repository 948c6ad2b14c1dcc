import { fold } from '@rapport/contract/fold'
import { expect, test } from 'vitest'
import { service } from '../../test/harness.ts'
import { makeSearchable } from '../../test/insert-lead.ts'
import { escapeLike, rowValues, run } from '../db/sql.ts'
import { newId } from '../ids.ts'

const app = service()

test.each([
  ['Ada', 'ada'],
  ['Ångström', 'angstrom'],
  ['ŁÓDŹ', 'lodz'],
  ['Đorđe Øst', 'dorde ost'],
  ['Iı İi', 'ii ii'],
  ['ΣΊΣΥΦΟΣ', 'σισυφοσ'],
  ['σίσυφος', 'σισυφοσ'],
  ['Straße', 'straße'],
  ['ＡＣＭＥ ﬁn', 'acme fin'],
  ['Ёлка', 'елка'],
  ['김', '김'.normalize('NFD')],
])('folds %s to %s', (text, folded) => {
  expect(fold(text)).toBe(folded)
})

test('escapes the wildcards of LIKE', () => {
  expect(escapeLike('50%_\\x')).toBe('50\\%\\_\\\\x')
})

// A control character: no character combines with it, and none folds to it.
const separator = '\u0001'
// Letters that are new in Unicode 15 to 17. PostgreSQL 15 knows Unicode 14, PostgreSQL 18 knows 16, and
// both leave newer letters unchanged. They are Latin letters for phonetics, and historic scripts.
const recent =
  /[\u1c89\ua7cb-\ua7cf\ua7d2\ua7d4\ua7da\ua7dc\ua7f1\u{105c9}\u{105e4}\u{10d50}-\u{10d65}\u{11380}-\u{113ff}\u{16100}-\u{1613f}\u{16d40}-\u{16d7f}\u{16ea0}-\u{16edf}\u{1ccd6}-\u{1ccf9}\u{1e030}-\u{1e06d}]/u

test('folds every character as the table lead_search does', async () => {
  const { id_space } = await app.workspace()
  const characters = Array.from({ length: 0x2ffff }, (_, index) => String.fromCodePoint(index + 1))
    // Surrogates cannot be stored. Unassigned characters have neither case nor accents.
    .filter((character) => !/[\p{Cn}\p{Cs}\u0001]/u.test(character) && !recent.test(character))
  const size = 2000
  const rows = Array.from({ length: Math.ceil(characters.length / size) }, (_, index) => ({
    id_space,
    id: newId(),
    first_name: characters.slice(index * size, (index + 1) * size).join(separator),
    created_at: app.clock.now,
  }))
  await run(app.db)`insert into lead ${rowValues(rows)}`
  // Without its index, which would take long.
  await run(app.db)`drop index lead_search_text_idx`
  await makeSearchable(app.db, id_space)
  const stored = await run<{ first_name: string; text: string }[]>(
    app.db,
  )`select first_name, text from lead join lead_search on id_lead = id
      where lead.id_space = ${id_space} and lead_search.id_space = ${id_space}`

  const different = stored.flatMap(({ first_name, text }) => {
    // The other fields of these leads are empty.
    const folded = text.replace(/^\n+|\n+$/g, '').split(separator)
    return first_name.split(separator).flatMap((character, index) => {
      const code = character.codePointAt(0)?.toString(16)
      return folded[index] === fold(character) ? [] : [{ code, folded: folded[index] }]
    })
  })
  expect(characters.length).toBeGreaterThan(100_000)
  expect(different).toEqual([])
})
