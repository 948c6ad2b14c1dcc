// The ways to change who owns the selected leads, and what each sends.
import type { Wanted } from './operations.ts'
import type { Said } from './tray.tsx'

type Send = (owners: string[], from: string) => Pick<Wanted, 'kind' | 'data'>

/** `from` is the member that the others replace. */
export const ownersChanges = {
  'add-owners': (owners) => ({ kind: 'update', data: { owners_connect: owners } }),
  'set-owners': (owners) => ({ kind: 'update', data: { owners } }),
  'remove-owners': (owners) => ({ kind: 'update', data: { owners_disconnect: owners } }),
  'hand-over': (owners, from) => ({ kind: 'hand-over', data: { from, owners } }),
  distribute: (owners) => ({ kind: 'distribute', data: { owners } }),
} satisfies Partial<Record<Said['change'], Send>>

export type OwnersChange = keyof typeof ownersChanges

export const ownersChangeNames = Object.keys(ownersChanges) as OwnersChange[]
