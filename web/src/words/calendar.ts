export const calendar = {
  title: 'Reminders in your calendar',
  text: 'Subscribe to your open reminders in any calendar program. Anyone with the address can read them, so keep it private.',
  address: 'Calendar address',
  create: 'Create address',
  renew: 'Create a new address',
  renewText: 'You already have an address. It isn’t shown again; a new one replaces it.',
  once: 'Copy it now. You won’t see it again.',
  open: 'Open in your calendar',
  revoke: 'Revoke address',
  revoked: 'The calendar address no longer works',
  failed: 'Couldn’t change the calendar address',
} as const
