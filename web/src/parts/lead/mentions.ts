// Members that a text mentions: stored as `<@id>`, typed and shown as `@Name`.
import { fold } from '@rapport/contract/fold'
import { mentionPattern } from '@rapport/contract/notes.values'
import type { MemberRecord } from '../../api/records.ts'
import { words } from '../../words/index.ts'

export type Member = Pick<MemberRecord, 'id' | 'name' | 'email'> &
  Partial<Pick<MemberRecord, 'picture'>>

/** The name, with the address if somebody else has the same name. */
export function mentionName({ id, name, email }: Member, members: readonly Member[]): string {
  const isShared = members.some((other) => other.id !== id && other.name === name)
  return isShared ? `${name} (${email})` : name
}

/** The mention of a former member has no name. */
export function mentioned(id: string, members: readonly Member[]): string {
  const member = members.find((each) => each.id === id)
  return `@${member ? mentionName(member, members) : words.notes.formerMember}`
}

export function toTyped(content: string, members: readonly Member[]): string {
  return content.replaceAll(mentionPattern, (whole, id: string) =>
    members.some((member) => member.id === id.toLowerCase())
      ? mentioned(id.toLowerCase(), members)
      : whole,
  )
}

export function toStored(text: string, members: readonly Member[]): string {
  const ids = new Map(members.map((member) => [mentionName(member, members), member.id]))
  const names = [...ids.keys()].filter(Boolean).sort((a, b) => b.length - a.length)
  if (names.length === 0) return text
  const escaped = names.map((name) => name.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}.])@(${escaped.join('|')})(?![\\p{L}\\p{N}])`, 'gu')
  return text.replaceAll(pattern, (_, name: string) => `<@${ids.get(name)}>`)
}

export interface Asked {
  /** Where the name begins, after the @. */
  at: number
  found: Member[]
}

/** The members whose name is being typed right before the caret. */
export function askedMembers(text: string, caret: number, members: readonly Member[]): Asked {
  const typed = /(?:^|[\s(])@([^@\n]{0,40})$/u.exec(text.slice(0, caret))?.[1]
  if (typed === undefined) return { at: caret, found: [] }
  const wanted = fold(typed)
  const found = members.filter((member) => {
    const name = fold(mentionName(member, members))
    return name.startsWith(wanted) || name.split(/\s+/).some((word) => word.startsWith(wanted))
  })
  return { at: caret - typed.length, found: found.slice(0, 6) }
}
