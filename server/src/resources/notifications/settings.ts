// How a member is notified: as they have chosen, or else as the table of kinds says.
import type { NotificationSettings } from '@rapport/contract/notifications'
import {
  notificationKinds,
  notificationTable,
  standardDigestHour,
} from '@rapport/contract/notifications.values'
import { selectMember } from '../../access/access.sql.ts'
import type { Db } from '../../db/driver.ts'
import { isTimeZone } from '../../time-zone.ts'
import { timeZoneOf } from '../reminders/reminders.recurrence.ts'
import type { Reader, SettingRow } from './notifications.sql.ts'

export type Choices = Omit<NotificationSettings, 'time_zone'>

export function choicesOf(row: SettingRow | undefined): Choices {
  const { kinds = {}, digest_hour = standardDigestHour, quiet_from, quiet_to } = row ?? {}
  const { details = false } = row ?? {}
  const ways = notificationKinds.map((kind) => [kind, kinds[kind] ?? notificationTable[kind].way])
  const hasQuiet = typeof quiet_from === 'number' && typeof quiet_to === 'number'
  return {
    kinds: Object.fromEntries(ways),
    digest_hour,
    quiet_hours: hasQuiet ? { from: quiet_from, to: quiet_to } : null,
    details,
  }
}

export function rowOf(
  id_member: string,
  { kinds, digest_hour, quiet_hours, details }: Pick<SettingRow, 'kinds'> & Omit<Choices, 'kinds'>,
): SettingRow {
  const { from = null, to = null } = quiet_hours ?? {}
  return { id_member, kinds, digest_hour, quiet_from: from, quiet_to: to, details }
}

/** The member's time zone, or else that of the workspace. */
export async function zoneOf(db: Db, { space, user }: Reader): Promise<string> {
  const own = (await selectMember(db, space, user))?.time_zone
  return own && isTimeZone(own) ? own : timeZoneOf(db, space)
}
