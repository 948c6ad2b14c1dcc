// One record for each relation of leads: the records that it points to, how they are picked, for the value of a
// field and for a condition, and, if a lead shows them, how.
import type { LeadRelation, ToldRelation } from '@rapport/contract/leads/relations'
import type { ReactNode } from 'react'
import type { Records } from '../api/records.ts'
import { Avatar } from '../ui/avatar.tsx'
import type { Option } from '../ui/options.tsx'
import { Dot, Stage, TagSign } from '../ui/small.tsx'
import { words } from '../words/index.ts'
import type { Kind } from './field.ts'

export interface Named {
  id: string
  name: string
  /** Of the dot before the name, in a chip. */
  color?: string
}

interface RelationRecord {
  named(records: Records): readonly Named[]
  options(records: Records): Option[]
}

export const memberOptions = (members: Records['members']): Option[] =>
  members.map(({ id, name, email, picture }) => ({
    id,
    label: name,
    also: email,
    content: (
      <>
        <Avatar name={name} picture={picture} />
        {name}
      </>
    ),
  }))

/** In the order of the columns. */
export const relations: Record<LeadRelation, RelationRecord> &
  Record<ToldRelation, { kind: Kind }> = {
  status: {
    kind: 'status',
    named: ({ status }) => status,
    options({ lists, status }) {
      const groups = [...lists, { id: '', name: undefined }]
      return groups.flatMap((list) =>
        status
          .filter(({ id_list }) => id_list === list.id)
          .map(({ id, name, color }) => ({
            id,
            label: name,
            content: <Stage name={name} color={color} />,
            group: list.name ?? words.pipeline.none,
            also: list.name,
          })),
      )
    },
  },
  tags: {
    kind: 'tags',
    named: ({ tags }) => tags,
    options: ({ tags }) =>
      tags.map(({ id, name, color }) => ({
        id,
        label: name,
        content: <TagSign color={color}>{name}</TagSign>,
      })),
  },
  lists: {
    kind: 'lists',
    named: ({ lists }) => lists,
    options: ({ lists }) =>
      lists.map(({ id, name, emoji }) => ({ id, label: name, content: `${emoji} ${name}`.trim() })),
  },
  owners: {
    kind: 'members',
    named: ({ members }) => members,
    options: ({ members }) => memberOptions(members),
  },
  campaigns: {
    named: ({ campaigns }) => campaigns,
    options: ({ campaigns }) => campaigns.map(({ id, name }) => ({ id, label: name })),
  },
}

const shownNames = 2

/** The first names of these records, for a chip. */
export function names(ids: readonly string[] | undefined, records: readonly Named[]): ReactNode {
  if (!ids?.length) return words.filter.noCondition
  const found = ids.map((id) => records.find((record) => record.id === id))
  const first = found[0]?.color
  const text = found
    .slice(0, shownNames)
    .map((record) => record?.name ?? words.filter.deleted)
    .join(', ')
  return (
    <>
      {first && <Dot color={first} />}
      {text}
      {ids.length > shownNames && `, ${words.filter.more(ids.length - shownNames)}`}
    </>
  )
}
