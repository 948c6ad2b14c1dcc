import { colorAt } from '@rapport/contract/stages.values'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { type Body, call } from '../../api/call.ts'
import { type ListRecord, recordQueries } from '../../api/records.ts'
import { change, readAgain, replaced } from '../../parts/records/change.ts'
import { colorOf } from '../../pipeline/lists.ts'
import { Check } from '../../ui/check.tsx'
import { settings } from '../../words/settings.ts'
import { DeleteRecord } from './delete-record.tsx'
import { ColorInput, InlineInput } from './inline-input.tsx'
import type { Part } from './part-state.tsx'
import { RecordList } from './record-list.tsx'
import css from './settings.module.css'

const key = recordQueries.lists.queryKey

const update = (list: ListRecord, body: Body<'PATCH /lists/{id}'>) =>
  change<ListRecord>({
    key,
    what: list.name,
    ...(!('name' in body || 'emoji' in body) && {
      shown: (lists) => replaced(lists, { ...list, ...body }),
    }),
    work: () => call('PATCH /lists/{id}', { id: list.id, body }),
  })

function ListsPart() {
  const query = useQuery(recordQueries.lists)
  const { data: statuses = [] } = useQuery(recordQueries.status)
  const lists = query.data ?? []
  const newList = (name: string) => ({ name, color: colorAt(lists.length), auto_status: true })
  const remove = async ({ id }: ListRecord) => {
    await call('DELETE /lists/{id}', { id })
    await readAgain(['records'])
  }
  return (
    <RecordList
      id="lists"
      query={query}
      onOrder={(list, order) => void update(list, { order })}
      onAdd={(name) =>
        change({ key, what: name, work: () => call('POST /lists', { body: newList(name) }) })
      }
    >
      {(list) => (
        <>
          <ColorInput
            label={settings.colorOf(list.name)}
            value={colorOf(list, lists)}
            onSave={(color) => void update(list, { color })}
          />
          <InlineInput
            label={settings.emojiOf(list.name)}
            className={css.emoji}
            value={list.emoji}
            maxLength={8}
            mayBeEmpty
            onSave={(emoji) => update(list, { emoji })}
          />
          <InlineInput
            label={settings.nameOf(list.name)}
            value={list.name}
            onSave={(name) => update(list, { name })}
          />
          <Check
            className={css.auto}
            label={settings.lists.autoOf(list.name)}
            hint={settings.lists.autoHint}
            isOn={list.auto_status}
            onChange={(auto_status) => void update(list, { auto_status })}
          >
            {settings.lists.auto}
          </Check>
          <Link
            className="link"
            href={`/settings/statuses?list=${list.id}`}
            aria-label={settings.lists.statusesOf(list.name)}
          >
            {settings.lists.statuses}
          </Link>
          <DeleteRecord
            name={list.name}
            filter={{ lists: [list.id] }}
            text={(leads) =>
              settings.lists.deleteText(
                leads,
                statuses.filter(({ id_list }) => id_list === list.id).length,
              )
            }
            onDelete={() => remove(list)}
          />
        </>
      )}
    </RecordList>
  )
}

export default { needs: 'write', Content: ListsPart } satisfies Part
