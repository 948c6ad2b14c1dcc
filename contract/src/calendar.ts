// The reminders of a member in any calendar program.
import { Type } from 'typebox'
import { route } from './route.ts'
import { DateTime, Message, Nullable, Shape } from './shapes.ts'

export const calendar = {
  name: 'Calendar',
  description:
    'An address of your own (`/calendar/<token>.ics`) that any calendar program can subscribe to. It has your open reminders and needs no key: anyone with the address can read them.',
  routes: {
    show: route('GET /calendar', {
      operationId: 'getCalendar',
      role: 'read',
      summary: 'Check whether you have a calendar address',
      description: 'The address itself is shown only when it is created.',
      reply: Shape('Calendar', { created_at: Nullable(DateTime) }),
    }),
    create: route('POST /calendar', {
      operationId: 'createCalendar',
      role: 'read',
      secret: true,
      person: 'always',
      summary: 'Create your calendar address',
      description:
        'An earlier address of yours stops working. Requires a recent sign-in, not a key: the address would outlive the key and its limits.',
      reply: Shape('CalendarAddress', {
        address: Type.String({ description: 'It is returned only once.' }),
        created_at: DateTime,
      }),
    }),
    remove: route('DELETE /calendar', {
      operationId: 'deleteCalendar',
      role: 'read',
      scopes: ['write'],
      summary: 'Revoke your calendar address',
      description: 'Calendars that subscribe to it get no more updates.',
      reply: Message,
    }),
  },
}
