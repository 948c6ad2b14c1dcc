// Corrects what headers suggest, using the values of the column and its neighbors.

import type { AttributeType } from '@rapport/contract/attributes'
import { singleRelations } from '@rapport/contract/leads/relations'
import type { Target } from './column.ts'
import { plain, typedBy } from './headers.ts'
import type { ColumnProfile } from './profile.ts'

/** A column as it is being decided about. */
export interface Choice {
  index: number
  header: string
  profile: ColumnProfile
  target: Target | undefined
  why: string
  rank: number
  /** Mapped, or named exactly like the field: the values change nothing. */
  isSure: boolean
  /** A new attribute was requested, of this type if one was given. */
  wanted?: { type: AttributeType | undefined }
}

export const isField = (target: Target | undefined, ...fields: string[]) =>
  target?.kind === 'field' && fields.includes(target.name)

/** The values decide if the header does not, or if they contradict it. */
export function correctByCells(choices: Choice[]): void {
  const missing = new Set(
    ['email', 'phone'].filter((name) => !choices.some(({ target }) => isField(target, name))),
  )
  for (const choice of choices) {
    const { profile, target, isSure } = choice
    if (isSure || profile.count === 0) continue
    const open = target === undefined || isField(target, 'website_url', 'linkedin_url')
    const take = (name: 'linkedin_url' | 'linkedin_company_url' | 'email' | 'phone') => {
      choice.target = { kind: 'field', name }
      choice.why = 'its values'
      missing.delete(name)
    }
    if (open && profile.share('person') > 0.9) take('linkedin_url')
    else if (open && profile.share('company') > 0.9) take('linkedin_company_url')
    else if (!target && profile.share('email') > 0.9 && missing.has('email')) take('email')
    else if (!target && profile.share('phone') > 0.9 && missing.has('phone')) {
      if (!/fax/i.test(choice.header)) take('phone')
    } else if (
      (isField(target, 'website_url') && profile.share('url') < 0.5) ||
      (isField(target, 'avatar_url') && profile.shareOf(/^https?:/i) < 0.5) ||
      (isField(target, 'company_role') && profile.share('honorific') > 0.8)
    ) {
      choice.target = undefined
    }
  }
}

/** "Name" next to a last name is the first name; a first name of several words, alone, is the full name. */
export function correctNames(choices: Choice[]): void {
  const find = (test: (target: Target) => boolean) =>
    choices.find(({ target }) => target !== undefined && test(target))
  const first = find((target) => isField(target, 'first_name'))
  const last = find((target) => isField(target, 'last_name'))
  const whole = find(({ kind }) => kind === 'name')
  if (last && whole && !first && whole.profile.wordy < 0.5) {
    whole.target = { kind: 'field', name: 'first_name' }
  }
  if (first && !last && !whole && !first.isSure && first.profile.wordy > 0.5) {
    first.target = { kind: 'name' }
  }
}

/** "E-mail 1 - Type" says nothing about the lead. */
export function leaveOutTypes(choices: Choice[], headers: string[]): void {
  const sorted = [...new Set(headers)]
    .map((header) => ({ header, name: plain(header) }))
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
  for (const choice of choices) {
    if (choice.target || choice.isSure || (choice.profile.distinct?.size ?? 9) > 8) continue
    const base = typedBy(choice.header)
    if (base === undefined) continue
    if (hasOther(sorted, plain(base), choice.header)) {
      choice.target = { kind: 'ignored', why: 'it only describes another column' }
    }
  }
}

/** Whether another header begins so. They are sorted: those that do stand together. */
function hasOther(
  sorted: { header: string; name: string }[],
  start: string,
  except: string,
): boolean {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle]?.name ?? '') < start) low = middle + 1
    else high = middle
  }
  const [first, second] = sorted.slice(low, low + 2).filter(({ name }) => name.startsWith(start))
  return first !== undefined && (first.header !== except || second !== undefined)
}

/** What a lead mostly has one of is in one column: the best one. */
export function oneOfEach(choices: Choice[]): void {
  for (const name of singleRelations) {
    const found = choices
      .filter(({ target }) => target?.kind === 'relation' && target.name === name)
      .sort((a, b) => a.rank - b.rank)
    for (const other of found.slice(1)) if (!other.isSure) other.target = undefined
  }
}
