// The program's part of migration 0024: normalizes the addresses of members. It uses the
// tables as they were at that migration, so it has its own statements.
import { normalizeEmail } from '../email-address.ts'
import { newId } from '../ids.ts'
import type { Db } from './driver.ts'
import { acrossWorkspaces, rowValues, run } from './sql.ts'

interface Row {
  id_space: string
  workspace: string
  id: string
  email: string
}

/**
 * Where two members of a workspace have the same address now, the one that has it in its normal form
 * already gets it, or else the oldest. The others keep their spelling. Nobody can sign in with it, because
 * it is compared with normal forms only, until it is changed.
 */
export async function normalizeAddresses(tx: Db, log: (line: string) => void): Promise<void> {
  const rows = await run<Row[]>(tx)`
    ${acrossWorkspaces} select m.id_space, s.name as workspace, m.id, m.email
    from member m join space s on s.id_space = m.id_space
    order by m.id_space, m.created_at, m.id`
  const normal = new Map(rows.map((row) => [row, normalizeEmail(row.email)]))
  const keyOf = ({ id_space }: Row, email: string) => `${id_space} ${email}`
  const taken = new Map<string, Row>()
  for (const row of rows) if (normal.get(row) === row.email) taken.set(keyOf(row, row.email), row)
  const changed = new Map<string, Row[]>()
  for (const row of rows) {
    const email = normal.get(row)
    if (email === row.email) continue
    const other = email === undefined ? undefined : taken.get(keyOf(row, email))
    if (email === undefined || other) {
      await report(tx, log, row, other)
      continue
    }
    taken.set(keyOf(row, email), row)
    const list = changed.get(row.id_space) ?? []
    changed.set(row.id_space, list)
    list.push({ ...row, email })
  }
  for (const [id_space, members] of changed) {
    const [ids, emails] = [members.map(({ id }) => id), members.map(({ email }) => email)]
    await run(tx)`update member set email = (${emails}::text[])[array_position(${ids}::uuid[], id)]
      where id_space = ${id_space} and id = any(${ids}::uuid[])`
  }
}

async function report(
  tx: Db,
  log: (line: string) => void,
  { id_space, workspace, id, email }: Row,
  other: Row | undefined,
): Promise<void> {
  const why = other
    ? `is also the address of ${other.email} (${other.id})`
    : 'is not an email address'
  log(
    `In the workspace "${workspace}", ${email} (${id}) ${why}. The member is kept but cannot sign in with it until you change it: npm run rapport -- members change --space ${id_space} --member ${id} --email <email>`,
  )
  const row = {
    ...{ id_space, id: newId(), at: new Date(), way: 'command', action: 'member.address_kept' },
    about: { id, email, ...(other && { same_as: other.id }) },
  }
  await run(tx)`insert into audit ${rowValues(row)}`
}
