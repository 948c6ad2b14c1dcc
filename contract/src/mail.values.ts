// Facts about mail as plain values, so that the page can import them without the schemas.

export const mailKinds = ['invitation', 'reset', 'sign_in', 'notification', 'digest'] as const
export type MailKind = (typeof mailKinds)[number]

export const mailStates = ['queued', 'handed', 'sent', 'failed', 'uncertain'] as const
export type MailState = (typeof mailStates)[number]

/** Mails that are over are listed for this many days. */
export const mailDays = 7
/** The most that are listed. */
export const maxListedMails = 100
