// Words of the inbox and of its settings. They are loaded with these pages, not with the first one.
import type { NotificationKind, NotificationWay } from '@rapport/contract/notifications.values'
import { countLeads } from './counted.ts'

export const notifications = {
  show: 'Which notifications',
  all: 'All',
  unread: 'Unread',
  markAll: 'Mark all as read',
  isUnread: 'unread',
  list: 'Notifications',
  more: 'Show older notifications',
  none: 'Nothing here yet',
  noneHelp:
    'You’re told here when a reminder is due, when someone assigns leads to you or mentions you, and when an import or a bulk change of yours has ended.',
  noneUnread: 'All read',
  noneUnreadHelp: 'New notifications appear here.',
  showAll: 'Show all',
  settings: 'Notification settings',
  loadFailed: 'Couldn’t load the notifications',
  notRead: 'Couldn’t mark as read',
  next: 'Next notification',
  previous: 'Previous notification',
  someone: 'Someone',
  reminder: (name: string) => (name ? `Reminder: ${name}` : 'A reminder that was deleted'),
  assigned: (who: string, what: string) => `${who} assigned ${what} to you`,
  mentioned: (who: string, where: string) => `${who} mentioned you${where && ` · ${where}`}`,
  deletedNote: 'The note was deleted.',
  finished: (isImport: boolean, leads: number) =>
    `${isImport ? 'Import' : 'Bulk change'} finished: ${countLeads(leads)}`,
  stopped: (leads: number) => `Import stopped: ${countLeads(leads)} so far`,
  failed: 'Bulk change failed. No leads were changed.',
  webhook: (name: string) => (name ? `Webhook disabled: ${name}` : 'A webhook that was deleted'),
  several: (number: number) => `${number} new notifications`,
  kinds: {
    reminder: { label: 'Reminders', hint: 'One of your reminders is due.' },
    assigned: { label: 'Assigned leads', hint: 'Someone else makes you an owner of leads.' },
    mention: { label: 'Mentions', hint: 'Someone writes @ and your name in a note.' },
    finished: {
      label: 'Imports and bulk changes',
      hint: 'One of yours has ended, or failed.',
    },
    webhook: { label: 'Webhooks', hint: 'One was disabled. Only owners and admins get this.' },
  } satisfies Record<NotificationKind, { label: string; hint: string }>,
  ways: {
    page: 'Inbox only',
    mail: 'Email at once',
    digest: 'Daily email',
  } satisfies Record<NotificationWay, string>,
  wayOf: (kind: string) => `How you get ${kind}`,
  noMail:
    'Email isn’t set up on this server, so notifications only appear in the inbox. An admin can set SMTP_URL.',
  mail: 'Email',
  digestHour: 'Daily email at',
  quietFrom: 'No email from',
  quietTo: 'Until',
  noQuiet: 'None',
  zone: (zone: string) => `Times are in the time zone ${zone}.`,
  desktop: 'Desktop notifications',
  desktopOn: 'Show them in this browser while Rapport is in the background',
  desktopDenied: 'This browser blocks them for this site. Allow them in its site settings.',
  desktopMissing: 'This browser can’t show them here. They need HTTPS.',
} as const
