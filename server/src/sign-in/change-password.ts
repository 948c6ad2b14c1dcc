import { storePassword } from '../access/passwords.sql.ts'
import { hashPassword, type PasswordCost } from '../access/passwords.ts'
import { deletePendingOf } from '../access/pending.sql.ts'
import { endOtherSessions, ownerOf } from '../access/sessions.ts'
import { type Pool, transaction } from '../db/driver.ts'
import { audit } from '../feed/audit.sql.ts'
import type { Author } from '../feed/author.ts'

/** Sets the author's password and ends their other sessions. Returns the number of these. */
export async function changePassword(
  db: Pool,
  author: Author,
  password: string,
  cost: PasswordCost,
): Promise<number> {
  const hash = await hashPassword(password, cost)
  return transaction(db, async (tx) => {
    await storePassword(tx, ownerOf(author), hash, author.now)
    await deletePendingOf(tx, ownerOf(author))
    const ended = await endOtherSessions(tx, author)
    await audit(tx, author, 'password.changed', { ended_sessions: ended })
    return ended
  })
}
