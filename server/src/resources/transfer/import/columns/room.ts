// What an import creates besides leads has the same limit as in other requests.
import type { EventRecord } from '@rapport/contract'
import type { Db } from '../../../../db/driver.ts'
import { hasRoom, noRoom } from '../../../../references/room.ts'
import { ImportError } from '../../file/errors.ts'

export async function requireRoomOfImport(tx: Db, space: string, kind: EventRecord): Promise<void> {
  if (!(await hasRoom(tx, space, kind))) throw new ImportError(noRoom(kind))
}
