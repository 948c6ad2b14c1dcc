import { Type } from 'typebox'
import { route } from './route.ts'
import { Shape } from './shapes.ts'

export const version = {
  name: 'Version',
  description: 'The release that this server runs.',
  routes: {
    show: route('GET /version', {
      operationId: 'getVersion',
      role: 'read',
      summary: 'Get the version of Rapport',
      description: 'Returns the release and the commit that this server runs.',
      reply: Shape('Version', {
        version: Type.String({ examples: ['0.2.0'] }),
        commit: Type.Union([Type.String(), Type.Null()], {
          description:
            'The commit that it was built from. null for a copy of the sources without their history.',
        }),
      }),
    }),
  },
}
