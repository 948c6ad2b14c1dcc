// Stages that make sense at once: the ready pipeline, and what a new stage gets from its name. Plain values, for
// readers that must not load the schemas.
import { fold } from './fold.ts'
import type { StatusType } from './status.values.ts'

export interface NewStage {
  color: string
  success_rate: number
  type: StatusType | null
}

const won = { color: '#16a34a', success_rate: 100, type: 'DEAL_WON' } as const
const lost = { color: '#dc2626', success_rate: 0, type: 'DEAL_LOST' } as const

export const readyList = { name: 'New business', color: '#6366f1' } as const

export const readyStages: readonly (NewStage & { name: string })[] = [
  { name: 'New', color: '#94a3b8', success_rate: 5, type: null },
  { name: 'Contacted', color: '#60a5fa', success_rate: 10, type: null },
  { name: 'Qualified', color: '#6366f1', success_rate: 30, type: null },
  { name: 'Proposal', color: '#f59e0b', success_rate: 60, type: null },
  { name: 'Won', ...won },
  { name: 'Lost', ...lost },
]

/** For lists, and for stages whose names say nothing. */
export const recordColors = [
  ...['#6366f1', '#0ea5e9', '#14b8a6', '#f59e0b', '#ec4899', '#8b5cf6', '#84cc16', '#f97316'],
] as const

const wonNames = /^(closed|deal)?(won|gewonnen|gagnee?|ganad[oa])$/
const lostNames = /^(closed|deal)?(lost|verloren|perdue?|perdid[oa])$/

/** Without case, accents and anything but letters: "Closed - Won" is closedwon. */
const lettersOf = (name: string) => fold(name).replace(/[^\p{Letter}]/gu, '')

interface Stage {
  order: number
  type: StatusType | null
  success_rate: number
}

/** What a new stage gets if nobody has said it. `others` are those of its list. */
export function stageNamed(name: string, others: readonly Stage[]): NewStage {
  const letters = lettersOf(name)
  if (wonNames.test(letters)) return won
  if (lostNames.test(letters)) return lost
  const known = readyStages.find((stage) => lettersOf(stage.name) === letters)
  // It comes after the last open one, and is as likely.
  const success_rate = known?.success_rate ?? inOrder(others).findLast(isOpen)?.success_rate ?? 0
  return { color: known?.color ?? colorAt(others.length), success_rate, type: null }
}

/** The `order` of a new stage: one that is neither won nor lost comes before those at the end. Undefined: the last. */
export function orderOfStage(
  { type }: Pick<NewStage, 'type'>,
  others: readonly Stage[],
): number | undefined {
  const sorted = inOrder(others)
  const last = sorted.findLastIndex(isOpen)
  const next = sorted[last + 1]
  if (type !== null || !next) return undefined
  return ((sorted[last]?.order ?? next.order - 2) + next.order) / 2
}

const inOrder = (stages: readonly Stage[]) => stages.toSorted((a, b) => a.order - b.order)
const isOpen = ({ type }: Stage) => type === null

export const colorAt = (at: number): string => recordColors[at % recordColors.length] as string
