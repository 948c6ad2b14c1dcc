// Notes of a lead with their replies. Pinned ones come first.
import { useQuery } from '@tanstack/react-query'
import { Ellipsis, Pencil, Pin, PinOff, Reply, Trash2 } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { call } from '../../api/call.ts'
import { client } from '../../api/client.ts'
import type { Lead } from '../../api/lead.ts'
import { Button } from '../../ui/button.tsx'
import { formatAgo, formatExact } from '../../ui/format.ts'
import { Menu } from '../../ui/menu.tsx'
import { tell, tellFault } from '../../ui/toast.tsx'
import { words } from '../../words/index.ts'
import css from './activity.module.css'
import { useDraft } from './drafts.ts'
import { type Note, notesQuery } from './queries.ts'

export function Notes({ lead, mayWrite }: { lead: Lead; mayWrite: boolean }) {
  const { data: notes = [], isPending } = useQuery(notesQuery(lead.id))
  const known = new Set(notes.map(({ id }) => id))
  const roots = notes
    .filter(({ id_parent }) => !id_parent || !known.has(id_parent))
    .sort(
      (a, b) =>
        Number(b.is_pinned) - Number(a.is_pinned) || b.created_at.localeCompare(a.created_at),
    )
  return (
    <div className={css.stack}>
      {mayWrite && (
        <Composer
          place={`note ${lead.id}`}
          label={words.notes.write}
          onSave={(content) => write(lead.id, { content, id_lead: lead.id })}
        />
      )}
      {roots.map((note) => (
        <NoteCard key={note.id} note={note} all={notes} lead={lead.id} mayWrite={mayWrite} />
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

async function attempt(lead: string, work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work()
    await refresh(lead)
    return true
  } catch (error) {
    tellFault(words.faults.notSaved(words.notes.what), error)
    return false
  }
}

const write = (lead: string, body: { content: string; id_lead?: string; id_parent?: string }) =>
  attempt(lead, () => call('POST /notes', { body }))

interface ComposerProps {
  place: string
  label: string
  start?: string
  isFirst?: boolean
  onSave: (content: string) => Promise<boolean>
  onCancel?: () => void
}

/** The text stays until the service has it. */
function Composer({ place, label, start = '', isFirst, onSave, onCancel }: ComposerProps) {
  const [draft, setDraft] = useDraft(place)
  const [isSaving, setSaving] = useState(false)
  const text = draft || start
  const [isTouched, setTouched] = useState(draft !== '')
  const shown = isTouched ? draft : text
  const [first] = useState(start)
  const save = async () => {
    if (!shown.trim() || isSaving) return
    setSaving(true)
    const isSaved = await onSave(shown.trim())
    setSaving(false)
    if (!isSaved) return
    setDraft('')
    setTouched(false)
    onCancel?.()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void save()
    else if (event.key === 'Escape' && onCancel) onCancel()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <form
      className={css.composer}
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <textarea
        aria-label={label}
        placeholder={label}
        rows={shown ? Math.min(10, shown.split('\n').length + 1) : 2}
        value={shown}
        autoFocus={isFirst}
        onChange={(event) => {
          setTouched(true)
          setDraft(event.target.value)
        }}
        onKeyDown={onKeyDown}
      />
      {isTouched && start !== first && (
        <p className={css.meanwhile} role="status">
          {words.live.meanwhile(words.faults.somebody, start)}
        </p>
      )}
      {(shown || onCancel) && (
        <div className={css.composerActions}>
          <span className={css.hint}>{words.notes.hint}</span>
          {onCancel && (
            <Button look="quiet" onClick={onCancel}>
              {words.actions.cancel}
            </Button>
          )}
          <Button look="go" type="submit" disabled={!shown.trim() || isSaving}>
            {words.notes.save}
          </Button>
        </div>
      )}
    </form>
  )
}

function NoteCard({
  note,
  all,
  lead,
  mayWrite,
}: {
  note: Note
  all: readonly Note[]
  lead: string
  mayWrite: boolean
}) {
  const [mode, setMode] = useState<'edit' | 'reply'>()
  const replies = all
    .filter(({ id_parent }) => id_parent === note.id)
    .sort((a, b) => a.created_at.localeCompare(b.created_at))
  const change = (body: { content?: string; is_pinned?: boolean }) =>
    attempt(lead, () => call('PATCH /notes/{id}', { id: note.id, body }))
  const remove = () =>
    attempt(lead, async () => {
      await call('DELETE /notes/{id}', { id: note.id })
      tell(words.notes.deleted, {
        action: {
          label: words.actions.undo,
          run: () =>
            void write(lead, {
              content: note.content ?? '',
              ...(note.id_parent ? { id_parent: note.id_parent } : { id_lead: lead }),
            }),
        },
      })
    })
  return (
    <article className={css.note}>
      <header className={css.noteHead}>
        <time dateTime={note.created_at} title={formatExact(note.created_at)}>
          {formatAgo(note.created_at)}
        </time>
        {note.is_edited && <span>· {words.notes.edited}</span>}
        {note.is_pinned && (
          <span className={css.pinned}>
            <Pin size={11} aria-hidden="true" /> {words.notes.pinned}
          </span>
        )}
        <span className={css.fill} />
        {mayWrite && (
          <>
            <Button look="icon" aria-label={words.notes.reply} onClick={() => setMode('reply')}>
              <Reply size={14} />
            </Button>
            <Menu
              label={words.notes.options}
              align="end"
              trigger={
                <Button look="icon" aria-label={words.notes.options}>
                  <Ellipsis size={14} />
                </Button>
              }
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
          label={words.notes.edit}
          start={note.content ?? ''}
          isFirst
          onSave={(content) => change({ content })}
          onCancel={() => setMode(undefined)}
        />
      ) : (
        <p className={css.content}>{note.content}</p>
      )}
      {replies.length > 0 && (
        <div className={css.replies}>
          {replies.map((reply) => (
            <NoteCard key={reply.id} note={reply} all={all} lead={lead} mayWrite={mayWrite} />
          ))}
        </div>
      )}
      {mode === 'reply' && (
        <Composer
          place={`reply ${note.id}`}
          label={words.notes.replyTo}
          isFirst
          onSave={(content) => write(lead, { content, id_parent: note.id })}
          onCancel={() => setMode(undefined)}
        />
      )}
    </article>
  )
}
