import { expect, test } from 'vitest'
import { service } from '../../../../test/harness.ts'
import { insertLead } from '../../../../test/insert-lead.ts'
import { run, sql } from '../../../db/sql.ts'
import { refreshSearch, searchTextOf } from './text.sql.ts'

const app = service()

test.each([
  {},
  { first_name: 'Ada', email: 'Ada@Example.COM', phone: '+49 30 1234' },
  { phone: '+49301234' },
  { phone: 'ask ٣ for (0)' },
  { first_name: 'Đorđe', last_name: 'ΣΊΣΥΦΟΣ', company: 'Straße & Søn', city: 'ŁÓDŹ' },
  {
    phone: '030 1',
    other_emails: [
      { value: 'ADA@Home.example', label: 'Home' },
      { value: 'Bücher@x.example', label: '' },
    ],
    other_phones: [
      { value: '+49 (30) 12-34', label: '' },
      { value: '0301234', label: 'Old' },
    ],
  },
  { company_role: 'CEO', website_url: 'https://bücher.example/Ä', twitter_name: 'ＡＣＭＥ' },
  // Accents at the start of a field, behind the end of the previous one.
  { first_name: 'a\n', last_name: '\u0301b', linkedin_url: 'x', facebook_username: '\u0308' },
])('the text of a lead is the same from here as from the database: %j', async (fields) => {
  const space = await app.workspace()
  const id = await insertLead(app, space, fields)
  const { id_space } = space
  const ofLead = sql`id_space = ${id_space} and id_lead = ${id}`
  await run(app.db, sql`update lead_search set text = '' where ${ofLead}`)
  await app.db.begin((tx) => refreshSearch(tx, id_space, sql`array[${id}]::uuid[]`))
  const [row] = await run(app.db, sql`select text from lead_search where ${ofLead}`)
  expect(searchTextOf(fields)).toBe(row?.text)
})
