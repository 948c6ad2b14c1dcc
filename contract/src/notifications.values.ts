// The table of notifications: one line for each kind. Plain values, for readers that must not load the schemas.

/** How members want to be notified: only in the page, also by mail at once, or also by mail once a day. */
export const notificationWays = ['page', 'mail', 'digest'] as const
export type NotificationWay = (typeof notificationWays)[number]

interface KindSpec {
  /** When it is sent and to whom, for the document. */
  says: string
  /** What members have who have not chosen. */
  way: NotificationWay
  /** There is one for each record that it is about. */
  isOnce?: true
}

// biome-ignore format: one line is one entry
export const notificationTable = {
  reminder: { way: 'mail', says: 'A reminder is due: its users, or else the owners of its lead, or else its author' },
  assigned: { way: 'digest', isOnce: true, says: 'Somebody else made you an owner of leads' },
  mention: { way: 'mail', isOnce: true, says: 'Somebody else mentioned you in a note' },
  finished: { way: 'page', says: 'An import of yours has ended, or a bulk change that ran in the background' },
  webhook: { way: 'mail', says: 'A webhook was disabled: all admins' },
} as const satisfies Record<string, KindSpec>

export type NotificationKind = keyof typeof notificationTable
export const notificationKinds = Object.keys(notificationTable) as [
  NotificationKind,
  ...NotificationKind[],
]

/** How many of a member are kept, and for how long. */
export const maxNotifications = 1_000
export const notificationDays = 90

/** The hour of the digest of members who have not chosen one. */
export const standardDigestHour = 8
