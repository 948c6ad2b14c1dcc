// The shapes of leads in bodies and answers, derived from the tables of fields and relations.
import { type TSchema, Type } from 'typebox'
import { currencies } from '../attributes.ts'
import {
  AllOptional,
  AnyObject,
  Anything,
  DateTime,
  each,
  Id,
  Nullable,
  OneOf,
  Ref,
} from '../shapes.ts'
import {
  answeredFields,
  type ChangeField,
  type CreateField,
  changeFields,
  createFields,
  type FieldKind,
  foundFields,
  type LeadField,
  leadFields,
  matchFields,
} from './fields.ts'
import {
  disconnectRelations,
  leadRelations,
  relationNames,
  type ToldRelation,
  toldRelations,
} from './relations.ts'

const Text = Nullable(Type.String())

/** A value of each kind in an answer. Json is told as text. */
const answers: Record<FieldKind, TSchema> = {
  uuid: Type.String(),
  text: Type.String(),
  phone: Type.String(),
  currency: Type.String(),
  time: DateTime,
  integer: Type.Integer(),
  amount: Type.Integer(),
  flag: Type.Boolean(),
  json: Type.String(),
}

function answerShape(name: LeadField): TSchema {
  const { kind, ...spec } = leadFields[name]
  if (name === 'id') return Id
  // The search always has a text for it.
  return 'notNull' in spec || kind === 'json' ? answers[kind] : Nullable(answers[kind])
}

const shapesOf = (names: LeadField[]) =>
  Object.fromEntries(names.map((name) => [name, answerShape(name)]))

const plain = shapesOf(answeredFields)

export const Lead = Type.Object(plain, { title: 'Lead' })

const toldShapes = {
  id: Id,
  name: Type.String(),
  emoji: Type.String(),
  color: Type.String(),
  type: Text,
  id_list: Type.String(),
  email: Type.String(),
}

function toldShape(relation: ToldRelation): TSchema {
  const { told } = leadRelations[relation]
  return Type.Array(Type.Object(Object.fromEntries(told.map((name) => [name, toldShapes[name]]))))
}

const related = {
  ...Object.fromEntries(toldRelations.map((name) => [name, toldShape(name)])),
  attributes: AnyObject(),
}

export const LeadWithRelations = Type.Object(
  { ...plain, ...related },
  { title: 'LeadWithRelations' },
)

/** An item of the list. With include false it is a plain lead, with id_only only its id. */
export const ListedLead = Type.Object(
  { ...plain, ...related },
  { title: 'ListedLead', required: ['id'] },
)

export const FoundLead = Type.Object(
  {
    ...shapesOf(foundFields),
    company_enrich: Type.String(),
    custom_fields_schema: Type.String(),
  },
  { title: 'FoundLead' },
)

/** One id, or several. */
const Refs = Type.Unsafe<string | string[] | null>({
  type: ['string', 'array', 'null'],
  items: { type: 'string' },
})
const TextOrNumber = Type.Unsafe<string | number | null>({ type: ['string', 'number', 'null'] })

/** A value of each kind in a body. */
const written = {
  uuid: Ref,
  text: Text,
  phone: TextOrNumber,
  currency: Nullable(OneOf([...currencies, ''])),
  time: Nullable(DateTime),
  integer: Nullable(Type.Integer({ minimum: -2147483648, maximum: 2147483647 })),
  amount: TextOrNumber,
  flag: Type.Boolean(),
  json: Anything,
}

type Written<Name extends LeadField> = {
  [N in Name]: (typeof written)[(typeof leadFields)[N]['kind']]
}

function writtenShapes<Name extends LeadField>(names: Name[]): Written<Name> {
  const entries = names.map((name) => [name, written[leadFields[name].kind]])
  return Object.fromEntries(entries) as Written<Name>
}

/** What goes with the fields, when creating and when changing. */
const beside = {
  id_list: Nullable(Ref),
  attributes: AnyObject({ description: 'Attribute id → value; null clears' }),
}

export const NewLead = AllOptional(
  Type.Object({
    ...writtenShapes<CreateField>(createFields),
    ...beside,
    company_avatar_url: Text,
    company_linkedin_url: Text,
    create_company_if_not_exists: Type.Boolean({ default: true }),
    auto_assign_owner: Type.Boolean({ default: true }),
    ...each(toldRelations, Refs),
  }),
)

const IdArray = Type.Array(Type.String())
const suffixed = <N extends string, S extends string>(names: readonly N[], suffix: S) =>
  names.map((name): `${N}_${S}` => `${name}_${suffix}`)

/** What update-many does to each selected lead, and PATCH /lead/{id} to one. */
export const LeadChange = AllOptional(
  Type.Object(
    {
      ...writtenShapes<ChangeField>(changeFields),
      ...beside,
      ...each(relationNames, IdArray),
      ...each(suffixed(relationNames, 'connect'), IdArray),
      ...each(suffixed(disconnectRelations, 'disconnect'), IdArray),
    },
    { title: 'LeadChange' },
  ),
)

export const LeadCriteria = AllOptional(Type.Object(each(matchFields, Type.String())))
