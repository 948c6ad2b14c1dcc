// How a note, a call or a meeting is shown: its icon, its text, and how long it took and how it ended.
import type { NoteKind } from '@rapport/contract/notes.values'
import { type LucideIcon, Phone, StickyNote, Users } from 'lucide-react'
import { classes } from '../../ui/classes.ts'
import { dotted } from '../../ui/format.ts'
import { Markdown } from '../../ui/markdown.tsx'
import { words } from '../../words/index.ts'
import css from './activity.module.css'
import { type Member, mentioned } from './mentions.ts'
import type { Note } from './queries.ts'

export const noteIcons: Record<NoteKind, LucideIcon> = {
  note: StickyNote,
  call: Phone,
  meeting: Users,
}

/** When it took place, or was written. */
export const timeOf = ({ happened_at, created_at }: Note) => happened_at ?? created_at

export const authorOf = ({ id_author }: Note, members: readonly Member[]) =>
  members.find(({ id }) => id === id_author)?.name

/** "20 min · No answer" */
export function detailsOf({ duration, outcome }: Note): string {
  const length = duration ? words.notes.minutes(duration) : ''
  return dotted(length, outcome && words.notes.outcomes[outcome])
}

export function NoteText({ note, members }: { note: Note; members: readonly Member[] }) {
  if (!note.content) return null
  return (
    <div className={css.noteBox}>
      <Markdown
        text={note.content}
        mention={(id) => (
          <span className={classes(note.mentions.includes(id) && css.mention)}>
            {mentioned(id, members)}
          </span>
        )}
      />
    </div>
  )
}
