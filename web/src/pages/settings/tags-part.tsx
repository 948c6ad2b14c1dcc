import { useQuery } from '@tanstack/react-query'
import { type Body, call } from '../../api/call.ts'
import { recordQueries, type Tag } from '../../api/records.ts'
import { change, readAgain, replaced } from '../../parts/records/change.ts'
import { settings } from '../../words/settings.ts'
import { DeleteRecord } from './delete-record.tsx'
import { ColorInput, InlineInput } from './inline-input.tsx'
import type { Part } from './part-state.tsx'
import { RecordList } from './record-list.tsx'

const key = recordQueries.tags.queryKey

const update = (tag: Tag, { name, color, order }: Body<'PATCH /tags/{id}'>) => {
  const body = {
    ...(name !== undefined && { name }),
    ...(color !== undefined && { color }),
    ...(order !== undefined && { order }),
  }
  return change<Tag>({
    key,
    what: tag.name,
    ...(!('name' in body) && { shown: (tags) => replaced(tags, { ...tag, ...body }) }),
    work: () => call('PATCH /tags/{id}', { id: tag.id, body }),
  })
}

function TagsPart() {
  const query = useQuery(recordQueries.tags)
  const remove = async ({ id }: Tag) => {
    await call('DELETE /tags/{id}', { id })
    await readAgain(key)
  }
  return (
    <RecordList
      id="tags"
      query={query}
      onOrder={(tag, order) => void update(tag, { order })}
      onAdd={(name) =>
        change({ key, what: name, work: () => call('POST /tags', { body: { name } }) })
      }
    >
      {(tag) => (
        <>
          <ColorInput
            label={settings.colorOf(tag.name)}
            value={tag.color}
            onSave={(color) => void update(tag, { color })}
          />
          <InlineInput
            label={settings.nameOf(tag.name)}
            value={tag.name}
            onSave={(name) => update(tag, { name })}
          />
          <DeleteRecord
            name={tag.name}
            filter={{ tags: [tag.id] }}
            text={settings.tags.deleteText}
            onDelete={() => remove(tag)}
          />
        </>
      )}
    </RecordList>
  )
}

export default { needs: 'write', Content: TagsPart } satisfies Part
