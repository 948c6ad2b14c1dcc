// How the installation is doing, for admins.
import { type Static, Type } from 'typebox'
import { route } from './route.ts'
import { Nullable, OneOf, Shape } from './shapes.ts'

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
    show: route({
      operationId: 'getSystem',
      method: 'GET',
      path: '/system',
      role: 'admin',
      summary: 'Check the installation',
      description:
        'Returns what `rapport doctor` finds, as the running server sees it: the release, the database, backups, disk space, the clock, background work, connections, open files, file permissions and the address. The state `error` needs somebody now: for example, the last backup is late. Of other workspaces, it says nothing.',
      extension: true,
      reply: Shape('System', { checks: Type.Array(Check) }),
      example: {},
    }),
  },
}
