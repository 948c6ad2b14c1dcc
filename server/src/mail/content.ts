// What a mail says, before it has its form.
import type { MailKind } from '@rapport/contract/mail.values'
import { linkPurposes } from '@rapport/contract/sign-in'
import { counted } from '../words.ts'

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
  /** How many more there are that are not listed. */
  more?: number
  /** A button. The path of a one-time link is not stored here. */
  action?: { text: string; path?: string }
}

/** A server would refuse a mail of any length, and nobody would read it. */
const maxItems = 50

/** A mail about several notifications. */
export function listOf(items: MailItem[], more = 0): MailContent {
  const all = items.length + more
  const listed = items.slice(0, maxItems)
  const subject = counted(all, 'notification')
  return { subject, lines: [], items: listed, more: all - listed.length }
}

/** Mails with a one-time link. An older one that still waits has a link that works no longer. */
export const isLinkKind = (kind: MailKind) => kind in linkPurposes

export const linkContext = (space: string, id: string) => `mail ${space} ${id}`
