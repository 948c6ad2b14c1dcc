export const mail = {
  title: 'Mail to members',
  off: 'Mail is not set up, so links have to be handed over. Set SMTP_URL, MAIL_FROM and PUBLIC_URL on the server.',
  on: (from: string) => `Invitations, links and notifications are sent from ${from}.`,
  paused:
    'Nothing is sent since a backup was restored, so that nobody gets a mail twice. Resume it if this workspace should send mail.',
  resume: 'Resume mail',
  test: 'Send a test mail to me',
  testing: 'Sending …',
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
  sentTo: (address: string) => `Sent to ${address} by mail. You can also hand this link over:`,
  ask: {
    text: 'Get a link by mail, to choose a new password or only to sign in:',
    reset: 'Mail me a password link',
    signIn: 'Mail me a sign-in link',
    needsAddress: 'Enter your email address first.',
    sent: (address: string) =>
      `If ${address} is a member’s address, a mail is on its way. The link works once.`,
  },
} as const
