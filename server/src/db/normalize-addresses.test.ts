// Migration 0024, on members whose addresses were compared by PostgreSQL before.
import { expect, test } from 'vitest'
import { emptyDatabases } from '../../test/empty-databases.ts'
import { insertOldSpace } from '../../test/workspace.ts'
import { insertMember } from '../access/access.sql.ts'
import { newId } from '../ids.ts'
import { migrate, readMigrations } from './migrate.ts'
import { run } from './sql.ts'

const databases = emptyDatabases()
const all = readMigrations()
const nothing = async () => {}

test('addresses get their normal form, and nobody is lost where two are the same', async () => {
  const { pool } = await databases.create()
  await migrate(pool, nothing, all.slice(0, 23))
  const at = (day: number) => new Date(Date.UTC(2026, 0, day)).toISOString()
  const [space, other] = [newId(), newId()]
  for (const [id_space, name] of [
    [space, 'North'],
    [other, 'South'],
  ] as const) {
    await insertOldSpace(pool, { id_space, name, time_zone: 'UTC', created_at: at(1) })
  }
  let day = 1
  const add = async (id_space: string, email: string) => {
    const member = { id_space, id: newId(), name: email, email, role: 'write' as const }
    await insertMember(pool, { ...member, created_at: at(day++) })
    return { id: member.id, email }
  }
  const plain = await add(space, 'Tom@Example.com')
  const composed = await add(space, 'Jose\u0301@example.com')
  const josé = await add(space, 'josé@example.com')
  const domain = await add(space, 'ann@EXÄMPLE.com')
  const ascii = await add(space, 'Ann@xn--exmple-cua.com')
  const kelvin = await add(space, '\u212a@example.com')
  const k = await add(space, 'q@example.com')
  const elsewhere = await add(other, 'Jose\u0301@example.com')

  const lines: string[] = []
  await migrate(pool, nothing, all, nothing, (line) => lines.push(line))

  const rows = await run<{ id: string; email: string }[]>(
    pool,
  )`select id, email from member order by created_at`
  expect([...rows]).toEqual([
    { id: plain.id, email: 'tom@example.com' },
    composed,
    josé,
    { id: domain.id, email: 'ann@xn--exmple-cua.com' },
    ascii,
    kelvin,
    k,
    { id: elsewhere.id, email: 'josé@example.com' },
  ])
  const reported = lines.filter((line) => line.startsWith('In the workspace'))
  expect(reported).toEqual([
    expect.stringContaining(
      `${composed.email} (${composed.id}) is also the address of ${josé.email}`,
    ),
    expect.stringContaining(`${ascii.email} (${ascii.id}) is also the address of ${domain.email}`),
    expect.stringContaining(`${kelvin.email} (${kelvin.id}) is not an email address`),
  ])
  expect(reported[0]).toContain(`members change --space ${space} --member ${composed.id} --email`)
  const audit = await run<{ id_space: string; about: object }[]>(
    pool,
  )`select id_space, about from audit where action = 'member.address_kept' order by id`
  expect([...audit]).toEqual([
    { id_space: space, about: { ...composed, same_as: josé.id } },
    { id_space: space, about: { ...ascii, same_as: domain.id } },
    { id_space: space, about: kelvin },
  ])
  await expect(add(space, 'tom@example.com')).rejects.toThrow(/member_email_key/)
})
