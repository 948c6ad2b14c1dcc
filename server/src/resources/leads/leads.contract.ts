import { type TSchema, Type } from 'typebox'
import { LeadFilter } from '../../filter/filter.schema.ts'
import { exampleIds } from '../../http/examples.ts'
import { route } from '../../http/route.ts'
import {
  AllOptional,
  AnyObject,
  Anything,
  DateTime,
  Id,
  Nullable,
  OneOf,
  Ref,
} from '../../http/schema.ts'
import { currencies } from '../attributes/attributes.contract.ts'
import {
  flagFields,
  integerFields,
  type LeadField,
  leadFields,
  notInSearch,
  textFields,
  timeFields,
  writtenTextFields,
} from './leads.fields.ts'

function each<const K extends string, S extends TSchema>(names: readonly K[], schema: S) {
  return Object.fromEntries(names.map((name) => [name, schema])) as Record<K, S>
}

const Text = Nullable(Type.String())

const answered = {
  id: Id,
  created_at: DateTime,
  ...each(textFields, Text),
  ...each(timeFields, Nullable(DateTime)),
  id_space: Text,
  usersId: Text,
  ...each(integerFields, Nullable(Type.Integer())),
  order: Type.Integer(),
  ...each(flagFields, Type.Boolean()),
  is_tracked: Nullable(Type.Boolean()),
}

export const Lead = Type.Object(answered, { title: 'Lead' })

const related = {
  lists: Type.Array(Type.Object({ id: Id, name: Type.String(), emoji: Type.String() })),
  status: Type.Array(
    Type.Object({
      id: Id,
      name: Type.String(),
      color: Type.String(),
      type: Nullable(Type.String()),
      id_list: Type.String(),
    }),
  ),
  tags: Type.Array(Type.Object({ id: Id, name: Type.String(), color: Type.String() })),
  owners: Type.Array(Type.Object({ id: Id, name: Type.String(), email: Type.String() })),
  attributes: AnyObject(),
}

export const LeadWithRelations = Type.Object(
  { ...answered, ...related },
  { title: 'LeadWithRelations' },
)

/** With include false an item is a plain lead, with id_only it is its id. */
const ListedLead = Type.Object(
  { ...answered, ...related },
  { title: 'ListedLead', required: ['id'] },
)

const searchFields = leadFields.filter((name) => !notInSearch.includes(name))
const FoundLead = Type.Object(
  {
    ...(Object.fromEntries(searchFields.map((name) => [name, answered[name]])) as Omit<
      typeof answered,
      LeadField & (typeof notInSearch)[number]
    >),
    company_enrich: Type.String(),
    custom_fields: Type.String(),
    custom_fields_schema: Type.String(),
    id_twitter_company: Text,
    id_twitter: Text,
  },
  { title: 'FoundLead' },
)

/** One id, or several. */
const Refs = Type.Unsafe<string | string[] | null>({
  type: ['string', 'array', 'null'],
  items: { type: 'string' },
})
const TextOrNumber = Type.Unsafe<string | number | null>({ type: ['string', 'number', 'null'] })
const Currency = Nullable(OneOf([...currencies, '']))
const Attributes = AnyObject({ description: 'Attribute id → value; null clears' })

/** The plain fields that a caller may set, when creating and when changing. */
const written = {
  ...each(writtenTextFields, Text),
  phone: TextOrNumber,
  contract_value: TextOrNumber,
  contract_currency: Currency,
  is_company: Type.Boolean(),
  is_contract: Type.Boolean(),
  is_draft: Type.Boolean(),
  id_list: Nullable(Ref),
  attributes: Attributes,
}

const NewLead = AllOptional(
  Type.Object({
    id: Ref,
    ...written,
    company_avatar_url: Text,
    company_linkedin_url: Text,
    create_company_if_not_exists: Type.Boolean({ default: true }),
    auto_assign_owner: Type.Boolean({ default: true }),
    lists: Refs,
    status: Refs,
    tags: Refs,
    owners: Refs,
  }),
)

const IdArray = Type.Array(Type.String())

/** What update-many does to each selected lead, and PATCH /lead/{id} to one. */
export const LeadChange = AllOptional(
  Type.Object(
    {
      ...written,
      id_linkedin: Text,
      id_twitter: Text,
      custom_fields: Anything,
      email_bounce_score: Nullable(Type.Integer({ minimum: -2147483648, maximum: 2147483647 })),
      ...each(['lists', 'status', 'tags', 'owners', 'campaigns'], IdArray),
      ...each(
        ['lists_connect', 'status_connect', 'tags_connect', 'owners_connect', 'campaigns_connect'],
        IdArray,
      ),
      ...each(['status_disconnect', 'tags_disconnect', 'owners_disconnect'], IdArray),
    },
    { title: 'LeadChange' },
  ),
)

const searchCriteria = [
  'email',
  'linkedin_url',
  'twitter_name',
  'facebook_username',
  'youtube_username',
  'phone',
  'instagram_username',
  'telegram_username',
  'whatsapp_username',
] as const

const Order = Type.Object({
  field: Type.String(),
  type: Type.Optional(OneOf(['asc', 'desc'])),
})

const { lead, list, tag } = exampleIds

export const routes = {
  create: route({
    method: 'POST',
    path: '/lead',
    role: 'write',
    summary: 'Create a lead',
    description:
      'A person with a company name also creates that company, unless the workspace has it (create_company_if_not_exists). The key’s user becomes an owner (auto_assign_owner).',
    body: NewLead,
    reply: Lead,
    example: {
      body: {
        first_name: 'Ada',
        last_name: 'Byron',
        email: 'ada@analytical.example',
        company: 'Analytical Engines',
        company_role: 'Head of Research',
        lists: [list],
        tags: [tag],
        contract_value: '12000',
        contract_currency: 'GBP',
      },
    },
  }),
  list: route({
    method: 'POST',
    path: '/leads/list',
    role: 'read',
    summary: 'The leads that a filter selects, page by page or all at once',
    description:
      'Pages hold 50 leads unless page_size says otherwise (1 to 1000). next_cursor is what to send as cursor for the next page. pagination {"all": true} streams every lead.',
    body: AllOptional(
      Type.Object({
        cursor: Nullable(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
        filter: LeadFilter,
        pagination: AllOptional(
          Type.Object({
            all: Type.Boolean(),
            page: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
            page_size: Type.Integer({ minimum: 1, maximum: 1000 }),
          }),
        ),
        orderBy: Type.Array(Order),
        include: Type.Boolean({ default: true }),
        id_only: Type.Boolean(),
        mode: OneOf(['default', 'pipeline'], { default: 'default' }),
      }),
    ),
    reply: Type.Object({
      leads: Type.Array(ListedLead),
      pagination: Type.Object(
        {
          all: Type.Boolean(),
          page: Type.Integer(),
          page_size: Type.Integer(),
          next_cursor: Nullable(Type.Integer()),
        },
        { required: [] },
      ),
      total: Type.Integer(),
    }),
    example: {
      body: {
        filter: { tags: [tag], email_status: 'with_email' },
        orderBy: [{ field: 'created_at', type: 'desc' }],
        pagination: { page: 1, page_size: 20 },
      },
    },
  }),
  search: route({
    method: 'POST',
    path: '/leads/search',
    role: 'read',
    summary: 'The lead that matches best',
    description:
      'A lead matches when any criterion does; the one with the most matches wins, then the oldest.',
    body: AllOptional(Type.Object(each(searchCriteria, Type.String()))),
    reply: FoundLead,
    example: { body: { email: 'grace@navy.example' } },
  }),
  updateMany: route({
    method: 'PATCH',
    path: '/leads/update-many',
    role: 'write',
    bulk: true,
    summary: 'Change every lead that a filter selects',
    description:
      'lists, status, tags, owners and campaigns replace; *_connect adds; *_disconnect removes; in that order. attributes merge. All of it happens or none.',
    body: Type.Object({ data: LeadChange, filter: LeadFilter }),
    reply: Type.String(),
    example: {
      body: { data: { city: 'London', tags_connect: [tag] }, filter: { leads: [lead] } },
    },
  }),
  track: route({
    method: 'POST',
    path: '/leads/track-leads',
    role: 'write',
    bulk: true,
    summary: 'Track the selected leads, or stop tracking them',
    body: Type.Object({ remove_tracking: Type.Optional(Type.Boolean()), filter: LeadFilter }),
    reply: Type.String(),
    example: { body: { remove_tracking: false, filter: { lists: [list] } } },
  }),
  addToList: route({
    method: 'POST',
    path: '/leads/add-list',
    role: 'write',
    bulk: true,
    summary: 'Add the selected leads to a list',
    body: Type.Object({ id_list: Ref, filter: LeadFilter }),
    reply: Type.String(),
    example: { body: { id_list: list, filter: { tags: [tag] } } },
  }),
  moveToList: route({
    method: 'POST',
    path: '/lists/{id}/move-leads',
    role: 'write',
    bulk: true,
    summary: 'Move the selected leads into this list from another',
    description: 'Only selected leads that are in the list id_source move.',
    body: Type.Object({ id_source: Ref, filter: LeadFilter }),
    reply: Type.String(),
    example: { id: exampleIds.otherList, body: { id_source: list, filter: { leads: [lead] } } },
  }),
  removeFromList: route({
    method: 'POST',
    path: '/lists/{id}/remove-leads',
    role: 'write',
    bulk: true,
    summary: 'Take the selected leads out of this list',
    body: Type.Object({ filter: LeadFilter }),
    reply: Type.String(),
    example: { id: list, body: { filter: { leads: [lead] } } },
  }),
  get: route({
    method: 'GET',
    path: '/lead/{id}',
    role: 'read',
    summary: 'One lead with its lists, statuses, tags, owners and attributes',
    extension: true,
    reply: LeadWithRelations,
    example: { id: lead },
  }),
  update: route({
    method: 'PATCH',
    path: '/lead/{id}',
    role: 'write',
    summary: 'Change one lead',
    description: 'Takes what update-many takes as data.',
    extension: true,
    body: LeadChange,
    reply: LeadWithRelations,
    example: { id: lead, body: { city: 'London', tags_connect: [tag] } },
  }),
  remove: route({
    method: 'DELETE',
    path: '/lead/{id}',
    role: 'write',
    summary: 'Delete a lead',
    description: 'The lead is marked as deleted and not found any more.',
    extension: true,
    reply: Type.String(),
    example: { id: lead },
  }),
  removeMany: route({
    method: 'POST',
    path: '/leads/delete',
    role: 'write',
    bulk: true,
    summary: 'Delete every lead that a filter selects',
    extension: true,
    body: Type.Object({ filter: LeadFilter }),
    reply: Type.String(),
    example: { body: { filter: { leads: [lead] } } },
  }),
}
