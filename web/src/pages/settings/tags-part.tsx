import { useQuery } from '@tanstack/react-query'
import { type Body, call } from '../../api/call.ts'
import { client } from '../../api/client.ts'
import { recordQueries, type Tag } from '../../api/records.ts'
import { Sortable } from '../../ui/sortable.tsx'
import { words } from '../../words/index.ts'
import { change, orderAt, replaced } from './change.ts'
import { DeleteRecord } from './delete-record.tsx'
import { ColourInput, InlineInput } from './inline-input.tsx'
import { NewRecord } from './new-record.tsx'
import { PartState } from './part-state.tsx'

const { settings } = words
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

export function TagsPart() {
  const query = useQuery(recordQueries.tags)
  const remove = async ({ id }: Tag) => {
    await call('DELETE /tags/{id}', { id })
    await client.invalidateQueries({ queryKey: key })
    void client.invalidateQueries({ queryKey: ['leads'] })
  }
  return (
    <>
      <PartState query={query} none={settings.tags.none}>
        {(tags) => (
          <Sortable
            label={settings.parts.tags}
            rows={tags}
            onMove={(tag, to) => void update(tag, { order: orderAt(tags, tag, to) })}
          >
            {(tag) => (
              <>
                <ColourInput
                  label={settings.colourOf(tag.name)}
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
          </Sortable>
        )}
      </PartState>
      <NewRecord
        label={settings.tags.add}
        onAdd={(name) =>
          change({ key, what: name, work: () => call('POST /tags', { body: { name } }) })
        }
      />
    </>
  )
}
