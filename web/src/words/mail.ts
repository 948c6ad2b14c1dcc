export const mail = {
  title: 'Email to members',
  off: 'Email isn’t set up, so you have to share links yourself. Set SMTP_URL, MAIL_FROM and PUBLIC_URL on the server.',
  on: (from: string) => `Invitations, links and notifications are sent from ${from}.`,
  paused:
    'Email is paused since a backup was restored, so that nobody gets the same email twice. Resume it if this workspace should send email.',
  resume: 'Resume email',
  test: 'Send me a test email',
  testing: 'Sending…',
  again: 'Send again',
  againOf: (kind: string, name: string) => `Send again: ${kind} for ${name}`,
  to: (kind: string, name: string) => `${kind} for ${name}`,
  kinds: {
    invitation: 'Invitation',
    reset: 'Password link',
    sign_in: 'Sign-in link',
    notification: 'Notification',
    digest: 'Digest',
  },
  states: {
    queued: 'waiting',
    handed: 'being sent',
    sent: 'sent',
    failed: 'not sent',
    uncertain: 'may or may not have been sent',
  },
  removed: 'a former member',
  sentTo: (address: string) => `Emailed to ${address}. You can also share this link yourself:`,
  ask: {
    text: 'Get a link by email to choose a new password, or just to sign in:',
    reset: 'Email me a password link',
    signIn: 'Email me a sign-in link',
    needsAddress: 'Enter your email address first.',
    sent: (address: string) =>
      `If ${address} belongs to a member, an email is on its way. The link works once.`,
  },
} as const
