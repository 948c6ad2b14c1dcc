// The records of the workspace as options, for the value of a field and for a condition.
import type { Records } from '../api/records.ts'
import { Avatar } from '../ui/avatar.tsx'
import type { Option } from '../ui/options.tsx'
import { Stage, TagSign } from '../ui/small.tsx'
import { words } from '../words/index.ts'

export type Listed = 'status' | 'tags' | 'lists' | 'owners' | 'campaigns'

export const recordOptions: Record<Listed, (records: Records) => Option[]> = {
  tags: ({ tags }) =>
    tags.map(({ id, name }) => ({ id, label: name, content: <TagSign>{name}</TagSign> })),
  lists: ({ lists }) =>
    lists.map(({ id, name, emoji }) => ({
      id,
      label: name,
      content: `${emoji} ${name}`.trim(),
    })),
  owners: ({ members }) =>
    members.map(({ id, name, email }) => ({
      id,
      label: name,
      also: email,
      content: (
        <>
          <Avatar name={name} />
          {name}
        </>
      ),
    })),
  status({ lists, status }) {
    const listName = (id: string) => lists.find((list) => list.id === id)?.name
    return status.map(({ id, name, color, id_list }) => ({
      id,
      label: name,
      content: <Stage name={name} colour={color} />,
      group: listName(id_list) ?? words.fields.wholePipeline,
      also: listName(id_list),
    }))
  },
  campaigns: ({ campaigns }) => campaigns.map(({ id, name }) => ({ id, label: name })),
}
