// What the sign-in of a session has proven beyond its own member.
import type { Db } from '../db/driver.ts'
import { run } from '../db/sql.ts'
import type { ApiKey, Member } from './access.sql.ts'

type Session = Pick<ApiKey, 'id_space' | 'id'>

export type Proof = {
  /** The time of the sign-in. A session that continues in another workspace is not newer. */
  at: string
} & (
  | {
      way: 'password'
      /** The members whose password it was. */
      members: Pick<Member, 'id_space' | 'id'>[]
    }
  | { way: 'openid'; issuer: string; subject: string; email: string }
)

export async function storeProof(db: Db, { id_space, id }: Session, proof: Proof): Promise<void> {
  await run(db)`update api_key set proof = ${proof} where id_space = ${id_space} and id = ${id}`
}

export async function selectProof(db: Db, { id_space, id }: Session): Promise<Proof | undefined> {
  const [row] = await run<{ proof: Proof | null }[]>(db)`select proof from api_key
    where id_space = ${id_space} and id = ${id} and kind = 'session'`
  return row?.proof ?? undefined
}
