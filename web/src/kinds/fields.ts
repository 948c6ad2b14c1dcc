// What can be shown of a lead and changed in it: the plain fields of the contract's table, the relations,
// and the attributes of the workspace. The grid's columns, the lead page and the editors all come from here.
import type { AttributeType } from '@rapport/contract/attributes.values'
import {
  type AnsweredField,
  answeredFields,
  type FieldKind,
  type FieldSpec,
  leadFields,
  nameColumn,
} from '@rapport/contract/leads/fields'
import { leadRelations } from '@rapport/contract/leads/relations'
import { type Lead, nameOf } from '../api/lead.ts'
import type { AttributeRecord } from '../api/records.ts'
import { words } from '../words/index.ts'

/** How a value is shown and edited. */
export type Kind =
  | 'name'
  | 'text'
  | 'long'
  | 'email'
  | 'phone'
  | 'link'
  | 'number'
  | 'decimal'
  | 'money'
  | 'currency'
  | 'flag'
  | 'day'
  | 'time'
  | 'id'
  | 'member'
  | 'option'
  | 'options'
  | 'place'
  | 'lead'
  | 'status'
  | 'tags'
  | 'lists'
  | 'owners'

export interface Field {
  id: string
  label: string
  kind: Kind
  group: keyof typeof words.grid.columnGroups
  /** Fields of the service to order by. Attributes and relations have none. */
  order?: readonly AnsweredField[]
  isEditable: boolean
  width: number
  attribute?: AttributeRecord
  read: (lead: Lead) => unknown
  /** The body of PATCH /lead/{id} that sets this value. */
  change: (value: unknown) => Record<string, unknown>
}

const kinds: Record<FieldKind, Kind> = {
  uuid: 'id',
  text: 'text',
  phone: 'phone',
  currency: 'currency',
  time: 'time',
  integer: 'number',
  amount: 'money',
  flag: 'flag',
  json: 'long',
}

const special: Partial<Record<AnsweredField, Kind>> = {
  email: 'email',
  website_url: 'link',
  linkedin_url: 'link',
  linkedin_company_url: 'link',
  avatar_url: 'link',
  usersId: 'member',
  icebreaker: 'long',
  icebreaker_2: 'long',
  icebreaker_3: 'long',
  icebreaker_4: 'long',
  ai_summary: 'long',
  ai_profile: 'long',
}

const mainFields: AnsweredField[] = [
  'email',
  'phone',
  'company',
  'company_role',
  'city',
  'score',
  'created_at',
  'updated_at',
  'last_interaction_at',
  'is_company',
  'usersId',
]
const contractFields: AnsweredField[] = [
  'contract_name',
  'contract_value',
  'contract_currency',
  'is_contract',
]

const widths: Partial<Record<Kind, number>> = {
  name: 200,
  text: 150,
  long: 240,
  email: 220,
  phone: 150,
  link: 190,
  number: 96,
  money: 130,
  currency: 90,
  flag: 96,
  day: 120,
  time: 140,
  id: 280,
  tags: 180,
  status: 150,
  lists: 160,
  owners: 160,
  member: 150,
}
const widthOf = (kind: Kind) => widths[kind] ?? 150

function plainField(name: AnsweredField): Field {
  const { label, kind: base, write }: FieldSpec = leadFields[name]
  const kind = special[name] ?? kinds[base]
  return {
    id: name,
    label,
    kind,
    group: mainFields.includes(name)
      ? 'main'
      : contractFields.includes(name)
        ? 'contract'
        : write
          ? 'contact'
          : 'other',
    order: [name],
    isEditable: write === 'always',
    width: Math.max(widthOf(kind), label.length * 7 + 36),
    read: (lead) => lead[name],
    change: (value) => ({ [name]: value === '' && base !== 'text' ? null : value }),
  }
}

export const nameField: Field = {
  id: nameColumn,
  label: words.fields.name,
  kind: 'name',
  group: 'main',
  order: ['first_name', 'last_name'],
  isEditable: true,
  width: widthOf('name'),
  read: (lead) => nameOf(lead),
  change: (value) => value as Record<string, unknown>,
}

/** The relations that an answer tells, and how PATCH /lead/{id} replaces them. */
function relationField(name: 'status' | 'tags' | 'lists' | 'owners'): Field {
  return {
    id: name,
    label: leadRelations[name].label,
    kind: name,
    group: 'relations',
    isEditable: true,
    width: widthOf(name),
    read: (lead) => lead[name],
    change: (value) => ({ [name]: (value as { id: string }[]).map(({ id }) => id) }),
  }
}

const attributeKinds: Record<AttributeType, Kind> = {
  TEXT: 'text',
  TEXTAREA: 'long',
  NUMBER: 'decimal',
  EMAIL: 'email',
  CHECKBOX: 'flag',
  DATE: 'day',
  TIMESTAMP: 'time',
  SELECT: 'option',
  CURRENCY: 'money',
  LOCATION: 'place',
  PHONENUMBER: 'phone',
  RELATION: 'lead',
}

function attributeField(attribute: AttributeRecord): Field {
  const kind =
    attribute.type === 'SELECT' && attribute.isMultiSelect
      ? 'options'
      : attributeKinds[attribute.type]
  return {
    id: `attribute:${attribute.id}`,
    label: attribute.name,
    kind,
    group: 'attributes',
    isEditable: true,
    width: widthOf(kind),
    attribute,
    read: (lead) => lead.attributes[attribute.id] ?? null,
    change: (value) => ({
      attributes: {
        [attribute.id]: value === '' || (Array.isArray(value) && value.length === 0) ? null : value,
      },
    }),
  }
}

const relations = (['status', 'tags', 'lists', 'owners'] as const).map(relationField)
const plain = answeredFields.map(plainField)

/** Everything that can be a column, by group. */
export function allFields(attributes: readonly AttributeRecord[]): Field[] {
  const of = (group: Field['group']) => plain.filter((field) => field.group === group)
  return [
    nameField,
    ...of('main'),
    ...relations,
    ...of('contract'),
    ...attributes.map(attributeField),
    ...of('contact'),
    ...of('other'),
  ]
}

export const isNumeric = (kind: Kind) => kind === 'number' || kind === 'decimal' || kind === 'money'
