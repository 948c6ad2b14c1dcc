// The kinds of notes. Plain values, for readers that must not load the schemas.
export const noteKinds = ['note', 'call', 'meeting'] as const
export type NoteKind = (typeof noteKinds)[number]

/** How a call or a meeting can end. A plain note has no outcome. */
export const noteOutcomes = {
  note: [],
  call: ['reached', 'no_answer', 'left_message', 'wrong_number'],
  meeting: ['held', 'no_show', 'canceled'],
} as const satisfies Record<NoteKind, readonly string[]>
export type NoteOutcome = (typeof noteOutcomes)[NoteKind][number]

/** The longest call or meeting, in minutes: a week. */
export const maxDuration = 7 * 24 * 60

/** Of a member in the text of a note: `<@id>`. */
export const mentionPattern = /<@([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})>/gi
