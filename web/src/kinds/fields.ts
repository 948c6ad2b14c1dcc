// What can be shown of a lead and changed in it: the plain fields of the contract's table, the relations,
// and the attributes of the workspace. The grid's columns, the lead page and the editors all come from here.
import { isOrdered } from '@rapport/contract/attributes.values'
import {
  type AnsweredField,
  answeredFields,
  type ExtendedField,
  extendedFields,
  type FieldKind,
  type FieldSpec,
  type LeadField,
  leadFields,
  nameColumn,
} from '@rapport/contract/leads/fields'
import {
  type LeadRelation,
  leadRelations,
  singleRelations,
  type ToldRelation,
  toldRelations,
} from '@rapport/contract/leads/relations'
import { nameOf } from '../api/lead.ts'
import type { AttributeRecord } from '../api/records.ts'
import { words } from '../words/index.ts'
import { attributeRecords } from './attribute-types.tsx'
import type { Field, Kind } from './field.ts'
import { kinds } from './kinds.tsx'
import { relations } from './relations.tsx'

const kindOfField: Record<FieldKind, Kind> = {
  uuid: 'id',
  text: 'text',
  phone: 'phone',
  currency: 'currency',
  time: 'time',
  integer: 'number',
  amount: 'amount',
  flag: 'flag',
  json: 'long',
  contacts: 'contacts',
}

const special: Partial<Record<LeadField, Kind>> = {
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

const mainFields: LeadField[] = [
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
const contractFields: LeadField[] = [
  'contract_name',
  'contract_value',
  'contract_currency',
  'is_contract',
  'lost_reason',
]

function plainField(name: AnsweredField | ExtendedField): Field {
  const { label, kind: base, write, answer }: FieldSpec = leadFields[name]
  const kind = special[name] ?? kindOfField[base]
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
    ...(answer !== 'relations' && { order: [name] }),
    // A currency is edited with its amount, and a list of contacts on the lead page.
    isEditable: write === 'always' && base !== 'currency' && base !== 'contacts',
    width: Math.max(kinds[kind].width, label.length * 7 + 36),
    read: (lead) => lead[name],
    change: (value) => ({ [name]: value === '' && base !== 'text' ? null : value }),
    ...(base === 'amount' && contractAmount),
  }
}

/** One field of amount and currency. */
const contractAmount: Pick<Field, 'read' | 'change'> = {
  read: (lead) => lead.contract_amount,
  change: (value) => ({ contract_amount: null, contract_currency: null, ...(value as object) }),
}

export const nameField: Field = {
  id: nameColumn,
  label: words.fields.name,
  kind: 'name',
  group: 'main',
  order: ['first_name', 'last_name'],
  isEditable: true,
  width: kinds.name.width,
  read: (lead) => nameOf(lead),
  change: (value) => value as Record<string, unknown>,
}

/** The relations that a response tells, and how PATCH /lead/{id} replaces them. */
export function relationField(name: ToldRelation): Field {
  const { kind } = relations[name]
  return {
    id: name,
    label: leadRelations[name].label,
    kind,
    group: 'relations',
    ...(singleRelations.some((sorted) => sorted === name) && { order: [name] }),
    isEditable: true,
    width: kinds[kind].width,
    read: (lead) => lead[name],
    change: (value) => ({ [name]: (value as { id: string }[]).map(({ id }) => id) }),
  }
}

function attributeField(attribute: AttributeRecord): Field {
  const kind = attribute.isMultiSelect ? 'options' : attributeRecords[attribute.type].kind
  return {
    id: `attribute:${attribute.id}`,
    label: attribute.name,
    kind,
    group: 'attributes',
    ...(isOrdered(attribute.type) && { order: [attribute.id] }),
    isEditable: true,
    width: kinds[kind].width,
    attribute,
    read: (lead) => lead.attributes[attribute.id] ?? null,
    change: (value) => ({
      attributes: {
        [attribute.id]: value === '' || (Array.isArray(value) && value.length === 0) ? null : value,
      },
    }),
  }
}

const related = (Object.keys(relations) as LeadRelation[])
  .filter((name): name is ToldRelation => toldRelations.some((told) => told === name))
  .map(relationField)
const plain = [...answeredFields, ...extendedFields].map(plainField)

/** Everything that can be a column, by group. */
export function allFields(attributes: readonly AttributeRecord[]): Field[] {
  const of = (group: Field['group']) => plain.filter((field) => field.group === group)
  return [
    nameField,
    ...of('main'),
    ...related,
    ...of('contract'),
    ...attributes.map(attributeField),
    ...of('contact'),
    ...of('other'),
  ]
}
