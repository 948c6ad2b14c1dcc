// Restores a backup that an admin of a new installation sends from the page. The workspaces of the backup go beside the
// empty one, while the service runs.
import { requestFault } from '@rapport/contract/errors'
import { type Restored, restoreRoute } from '@rapport/contract/system'
import type { FastifyInstance } from 'fastify'
import { selectOwner } from '../access/access.sql.ts'
import { makeLink } from '../access/links.ts'
import { BackupError, countRows } from '../backup/format.ts'
import { checkBackup, restoreBackup } from '../backup/restore.ts'
import type { Pool } from '../db/driver.ts'
import { openSecondPool } from '../db/lock-limit.ts'
import { audit } from '../feed/audit.sql.ts'
import { readUpload } from '../http/body.ts'
import { json, serialize } from '../http/serialize.ts'
import { withFileOf } from '../resources/transfer/file/spool.ts'
import { authorOf } from '../sign-in/handler.ts'
import { isNewInstallation } from './system.sql.ts'

interface RestoreOptions {
  db: Pool
  clock: () => Date
  /** The key of encrypted backups. */
  key: string | undefined
}

export function serveRestore(app: FastifyInstance, { db, clock, key }: RestoreOptions): void {
  const { accepts } = restoreRoute
  app.route({
    method: 'POST',
    url: '/restore',
    config: { role: 'admin', needsSession: true, accepts },
    handler: async (request, reply) => {
      const { content } = readUpload(request, accepts)
      const by = authorOf({ request, now: clock() })
      if (!(await isNewInstallation(db, by.space))) {
        throw requestFault(
          'not_new',
          'Only an installation with one workspace and no leads accepts a backup here. On the server, use: restore --space',
          409,
        )
      }
      const { header, spaces } = await withFileOf(content, 'The file', restore)
      const restored: Restored = {
        workspaces: spaces.map(({ name }) => name),
        rows: countRows(header.tables),
        made_at: header.created_at,
        made_by: header.program,
        sign_in: await linkTo(spaces[0]?.id),
      }
      const { sign_in: _secret, ...about } = restored
      await audit(db, by, 'backup.restored', about)
      return reply.type(json).send(serialize(restored, restoreRoute, reply))

      async function linkTo(space: string | undefined): Promise<string | null> {
        const owner = space && (await selectOwner(db, space))
        return owner ? (await makeLink(db, owner, 'sign_in', by.now)).path : null
      }
    },
  })

  async function restore(file: string) {
    // For the lock of a start, and for the transaction. A restore may take long, and requests need theirs.
    const own = openSecondPool(db, 2)
    try {
      const checked = await checkBackup(file, { key })
      await restoreBackup(own, file, checked, { key, spaces: checked.spaces })
      return checked
    } catch (error) {
      if (!(error instanceof BackupError)) throw error
      throw requestFault('backup', error.message.replace(file, 'The file'))
    } finally {
      await own.end()
    }
  }
}
