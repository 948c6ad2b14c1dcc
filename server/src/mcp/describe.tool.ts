import { contract } from '@rapport/contract'
import { changeFields, leadFields } from '@rapport/contract/leads/fields'
import { OneOf } from '@rapport/contract/shapes'
import { Type } from 'typebox'
import { counted } from '../words.ts'
import { reads, tool } from './tool.ts'

const parts = ['lists', 'tags', 'attributes', 'members', 'fields'] as const

export const describeWorkspace = tool({
  name: 'describe_workspace',
  title: 'Describe the workspace',
  description:
    'Lists with their statuses, tags, custom attributes, members, and what this key may do. Call it first: other tools take these names.',
  input: Type.Object({
    part: Type.Optional(
      OneOf(parts, { description: 'Only this part; fields: those of every lead' }),
    ),
    search: Type.Optional(
      Type.String({ maxLength: 200, description: 'Only names that contain this' }),
    ),
  }),
  annotations: reads,
  needs: [contract.members.routes.me],

  async run({ call, workspace }, { part, search }) {
    const wants = (one: (typeof parts)[number]) =>
      part === undefined ? one !== 'fields' : part === one
    const matches = ({ name }: { name: string }) =>
      search === undefined || name.toLowerCase().includes(search.toLowerCase())
    const [me, lists, statuses, tags, attributes, members] = await Promise.all([
      call(contract.members.routes.me),
      wants('lists') ? workspace.all('list') : [],
      wants('lists') ? workspace.all('status') : [],
      wants('tags') ? workspace.all('tag') : [],
      wants('attributes') ? workspace.all('attribute') : [],
      wants('members') ? workspace.all('member') : [],
    ])
    const statusesOf = (id: string) =>
      statuses.filter(({ id_list }) => id_list === id).map(({ name }) => name)
    const { key, name, workspace: space } = me
    return {
      says: `${counted(lists.length, 'list')}, ${counted(tags.length, 'tag')}, ${counted(attributes.length, 'custom attribute')}, ${counted(members.length, 'member')}.`,
      next: {
        key: { role: key.role, scopes: key.scopes ?? 'everything that the role allows' },
        time_zone: space.time_zone,
        currency: space.currency,
      },
      data: {
        workspace: space.name,
        acts_as: name,
        ...(wants('lists') && {
          lists: lists.filter(matches).map(({ id, name }) => ({ name, statuses: statusesOf(id) })),
          statuses_without_list: statusesOf(''),
        }),
        ...(wants('tags') && { tags: tags.filter(matches).map(({ name }) => name) }),
        ...(wants('attributes') && {
          attributes: attributes.filter(matches).map(({ name, type, select_options }) => ({
            name,
            type,
            ...(select_options.length > 0 && { options: select_options.map((one) => one.name) }),
          })),
        }),
        ...(wants('members') && {
          members: members.filter(matches).map(({ name, email, role }) => ({ name, email, role })),
        }),
        ...(wants('fields') && {
          fields: Object.entries(leadFields).map(([name, { kind, label }]) => ({
            name,
            kind,
            label,
            can_change: changeFields.some((one) => one === name),
          })),
        }),
      },
    }
  },
})
