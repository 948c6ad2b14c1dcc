// How the installation is doing, for admins.
import { type Static, Type } from 'typebox'
import { route } from './route.ts'
import { DateTime, Nullable, OneOf, Shape } from './shapes.ts'

/** What is looked at, in this order. */
export const checkNames = [
  'release',
  'database',
  'schema',
  'workspace',
  'backups',
  'disk',
  'clock',
  'background',
  'mail',
  'connections',
  'files',
  'rights',
  'address',
  'settings',
] as const
export type CheckName = (typeof checkNames)[number]

export const Check = Shape('SystemCheck', {
  name: OneOf(checkNames),
  state: OneOf(['ok', 'warning', 'error']),
  text: Type.String({ description: 'What was found, in one or two sentences' }),
  advice: Nullable(Type.String({ description: 'What to do about it. null if there is nothing' })),
})
export type Check = Static<typeof Check>

export const system = {
  name: 'System',
  description: 'How the installation is doing.',
  routes: {
    show: route('GET /system', {
      operationId: 'getSystem',
      role: 'admin',
      summary: 'Check the installation',
      description:
        'Returns what `rapport doctor` finds, as the running server sees it: the release, the database, backups, disk space, the clock, background work, mail, connections, open files, file permissions and the address. The state `error` needs somebody now: for example, the last backup is late. Of other workspaces, it says nothing.',
      reply: Shape('System', {
        checks: Type.Array(Check),
        is_new: Type.Boolean({
          description:
            'There is only this workspace, and it has no leads. Its page then offers to restore a backup',
        }),
      }),
    }),
  },
}

/**
 * POST /session/restore, for the page of a new installation. The body is a backup. Clients with an API key have no use
 * for it, so it is not in the OpenAPI document.
 */
export const restoreRoute = {
  accepts: ['application/octet-stream'],
  reply: Shape('Restored', {
    /** Their names. */
    workspaces: Type.Array(Type.String()),
    rows: Type.Integer(),
    made_at: DateTime,
    /** The release that made the backup. */
    made_by: Type.String(),
    /** A one-time link, as a path, to the first workspace. Null: it has no owner. */
    sign_in: Nullable(Type.String()),
  }),
}
export type Restored = Static<typeof restoreRoute.reply>
