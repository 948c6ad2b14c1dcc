// What a mail says, before it has its form.
import type { MailKind } from '@rapport/contract/mail.values'
import { linkPurposes } from '@rapport/contract/sign-in'

export interface MailItem {
  text: string
  detail?: string
  /** What follows the address of the page: /leads */
  path: string
}

export interface MailContent {
  subject: string
  /** Paragraphs above the list and the button. */
  lines: string[]
  items?: MailItem[]
  /** A button. The path of a one-time link is not stored here. */
  action?: { text: string; path?: string }
}

/** Mails with a one-time link. An older one that still waits has a link that works no longer. */
export const isLinkKind = (kind: MailKind) => kind in linkPurposes

export const linkContext = (space: string, id: string) => `mail ${space} ${id}`
