// The calendar of a member: the routes for its address, and the address itself, which needs nothing but its token.
import { calendar as contract } from '@rapport/contract/calendar'
import { ApiError, notFound } from '@rapport/contract/errors'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { endCalendar, selectSpace } from '../access/access.sql.ts'
import { requireBudget } from '../access/guesses.ts'
import { hashKey, newKey } from '../access/keys.ts'
import { type Pool, transaction } from '../db/driver.ts'
import { audit } from '../feed/audit.sql.ts'
import type { Attempts } from '../http/attempts.ts'
import { resource } from '../http/handler.ts'
import { linkAddress } from '../http/origin.ts'
import { timeZoneOf } from '../resources/reminders/reminders.recurrence.ts'
import { replaceToken, selectCalendar, selectOwner, selectTokenTime } from './calendar.sql.ts'
import { calendarFile } from './calendar.ts'

const path = (token: string) => `/calendar/${token}.ics`
/** Calendars ask a few times an hour, and some people have several. */
const budget = { hour: 240, day: 2_000 }
const maxReminders = 1_000
/** What was not done is still in it for this long. */
const pastMs = 30 * 86_400_000

export const calendar = resource(contract, {
  async show(db, { space, user }) {
    return { created_at: (await selectTokenTime(db, { id_space: space, id_member: user })) ?? null }
  },

  async create(db, call) {
    const { space, user, now } = call
    const token = newKey('calendar')
    const address = call.page() + path(token)
    await transaction(db, async (tx) => {
      await replaceToken(tx, { id_space: space, id_member: user }, hashKey(token), now)
      await audit(tx, call, 'calendar.created', {})
    })
    return { address, created_at: now.toISOString() }
  },

  async remove(db, call) {
    await transaction(db, async (tx) => {
      if (await endCalendar(tx, { id_space: call.space, id: call.user })) {
        await audit(tx, call, 'calendar.revoked', {})
      }
    })
    return 'The calendar address no longer works'
  },
})

export interface CalendarOptions {
  db: Pool
  clock: () => Date
  /** Slows wrong addresses from one client. */
  attempts: Attempts
}

export function serveCalendar(
  app: FastifyInstance,
  { db, clock, attempts }: CalendarOptions,
): void {
  app.get('/calendar/:file', async (request, reply) => {
    const { file } = request.params as { file: string }
    const now = clock()
    const hash = hashKey(file.replace(/\.ics$/, ''))
    const owner = file.endsWith('.ics') ? await selectOwner(db, hash) : undefined
    if (!owner) {
      await attempts.failed(request.ip)
      throw notFound()
    }
    await requireBudget(db, `calendar ${hash}`, budget, now)
    const since = new Date(now.getTime() - pastMs)
    const [space, zone, reminders] = await Promise.all([
      selectSpace(db, owner.id_space),
      timeZoneOf(db, owner.id_space),
      selectCalendar(db, owner, since, maxReminders),
    ])
    const name = `${space?.name ?? ''} reminders`
    reply.type('text/calendar; charset=utf-8')
    return calendarFile({ name, zone, page: pageOf(request), reminders, now })
  })
}

/** A calendar works without links too. */
function pageOf(request: FastifyRequest): string | undefined {
  try {
    return linkAddress(request)
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}
