// Notes, calls and meetings of a lead with their replies. Pinned ones come first.
import { useQuery } from '@tanstack/react-query'
import { Pencil, Pin, PinOff, Reply, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { type Body, call } from '../../api/call.ts'
import { client } from '../../api/client.ts'
import type { Lead } from '../../api/lead.ts'
import type { Records } from '../../api/records.ts'
import { orTell } from '../../ui/attempt.ts'
import { Button } from '../../ui/button.tsx'
import { dotted, formatAgo, formatExact } from '../../ui/format.ts'
import { RowMenu } from '../../ui/menu.tsx'
import { tell } from '../../ui/toast.tsx'
import { words } from '../../words/index.ts'
import css from './activity.module.css'
import { Composer } from './composer.tsx'
import type { Member } from './mentions.ts'
import { authorOf, detailsOf, NoteText, noteIcons, timeOf } from './note.tsx'
import { type Note, notesQuery } from './queries.ts'

interface Props {
  lead: Lead
  records: Records
  mayWrite: boolean
}

/** Above the timeline and the notes. */
export function NewNote({ lead, records }: Omit<Props, 'mayWrite'>) {
  return (
    <Composer
      place={`note ${lead.id}`}
      members={records.members}
      onSave={(written) => write(lead.id, { ...written, id_lead: lead.id })}
    />
  )
}

export function Notes({ lead, records, mayWrite }: Props) {
  const { data: notes = [], isPending } = useQuery(notesQuery(lead.id))
  const known = new Set(notes.map(({ id }) => id))
  const roots = notes
    .filter(({ id_parent }) => !id_parent || !known.has(id_parent))
    .sort((a, b) => Number(b.is_pinned) - Number(a.is_pinned) || timeOf(b).localeCompare(timeOf(a)))
  return (
    <div className={css.stack}>
      {roots.map((note) => (
        <NoteCard
          key={note.id}
          note={note}
          all={notes}
          lead={lead.id}
          members={records.members}
          mayWrite={mayWrite}
        />
      ))}
      {roots.length === 0 && (
        <p className={css.none}>{isPending ? words.grid.loading : words.notes.none}</p>
      )}
    </div>
  )
}

const refresh = (lead: string) =>
  Promise.all([
    client.invalidateQueries({ queryKey: ['lead', lead] }),
    client.invalidateQueries({ queryKey: ['leads', 'page'], refetchType: 'none' }),
  ])

const attempt = (lead: string, work: () => Promise<unknown>) =>
  orTell(words.faults.notSaved(words.notes.what), () => work().then(() => refresh(lead)))

const write = (lead: string, body: Body<'POST /notes'>) =>
  attempt(lead, () => call('POST /notes', { body }))

interface CardProps {
  note: Note
  all: readonly Note[]
  lead: string
  members: readonly Member[]
  mayWrite: boolean
}

function NoteCard({ note, ...shared }: CardProps) {
  const { all, lead, members, mayWrite } = shared
  const [mode, setMode] = useState<'edit' | 'reply'>()
  const replies = all
    .filter(({ id_parent }) => id_parent === note.id)
    .sort((a, b) => a.created_at.localeCompare(b.created_at))
  const change = (body: Body<'PATCH /notes/{id}'>) =>
    attempt(lead, () => call('PATCH /notes/{id}', { id: note.id, body }))
  const remove = () =>
    attempt(lead, async () => {
      await call('DELETE /notes/{id}', { id: note.id })
      tell(words.notes.deleted[note.kind], {
        action: { label: words.actions.undo, run: () => void change({ is_deleted: false }) },
      })
    })
  const author = authorOf(note, members)
  const Icon = noteIcons[note.kind]
  return (
    <article className={css.note}>
      <header className={css.noteHead}>
        <span className={css.noteText}>
          <Icon size={13} aria-hidden="true" />
          {author && <b>{author}</b>}{' '}
          {note.kind !== 'note' && `${dotted(words.notes.kinds[note.kind], detailsOf(note))} · `}
          <time dateTime={timeOf(note)} title={formatExact(timeOf(note))}>
            {formatAgo(timeOf(note))}
          </time>
          {note.is_edited && ` · ${words.notes.edited}`}
          {note.is_pinned && (
            <span className={css.pinned}>
              <Pin size={11} aria-hidden="true" /> {words.notes.pinned}
            </span>
          )}
        </span>
        {mayWrite && (
          <>
            <Button look="icon" aria-label={words.notes.reply} onClick={() => setMode('reply')}>
              <Reply size={14} />
            </Button>
            <RowMenu
              label={words.notes.options}
              groups={[
                [
                  {
                    id: 'edit',
                    label: words.notes.edit,
                    icon: <Pencil />,
                    onPick: () => setMode('edit'),
                  },
                  {
                    id: 'pin',
                    label: note.is_pinned ? words.notes.unpin : words.notes.pin,
                    icon: note.is_pinned ? <PinOff /> : <Pin />,
                    onPick: () => void change({ is_pinned: !note.is_pinned }),
                  },
                ],
                [
                  {
                    id: 'delete',
                    label: words.notes.delete,
                    icon: <Trash2 />,
                    isDangerous: true,
                    onPick: () => void remove(),
                  },
                ],
              ]}
            />
          </>
        )}
      </header>
      {mode === 'edit' ? (
        <Composer
          place={`edit ${note.id}`}
          members={members}
          note={note}
          isReply={note.id_parent !== null}
          onSave={change}
          onCancel={() => setMode(undefined)}
        />
      ) : (
        <NoteText note={note} members={members} />
      )}
      {replies.length > 0 && (
        <div className={css.replies}>
          {replies.map((reply) => (
            <NoteCard key={reply.id} note={reply} {...shared} />
          ))}
        </div>
      )}
      {mode === 'reply' && (
        <Composer
          place={`reply ${note.id}`}
          members={members}
          isReply
          onSave={(written) => write(lead, { ...written, id_parent: note.id })}
          onCancel={() => setMode(undefined)}
        />
      )}
    </article>
  )
}
