// The shapes of leads in bodies and responses, derived from the tables of fields and relations.
import { type Static, type TArray, type TObject, type TSchema, type TUnsafe, Type } from 'typebox'
import { currencies, maxDecimals } from '../money.values.ts'
import {
  AllOptional,
  AnyObject,
  Anything,
  DateTime,
  Documented,
  each,
  Id,
  Limited,
  maxRefs,
  Nullable,
  OneOf,
  PageSize,
  Ref,
  Shape,
  SortDirection,
} from '../shapes.ts'
import {
  answeredFields,
  type ChangeField,
  type CreateField,
  changeFields,
  createFields,
  extendedFields,
  type FieldKind,
  foundFields,
  type LeadField,
  leadFields,
  matchFields,
  maxContact,
  maxContactLabel,
  maxContacts,
} from './fields.ts'
import { LeadFilter } from './filter.ts'
import {
  disconnectRelations,
  leadRelations,
  relationNames,
  singleRelations,
  type ToldRelation,
  toldRelations,
} from './relations.ts'

const Text = Nullable(Type.String())

/** A value of each kind in a response. JSON is text. */
const answers = {
  uuid: Type.String(),
  text: Type.String(),
  phone: Type.String(),
  currency: Type.String(),
  time: DateTime,
  integer: Type.Integer(),
  amount: Type.Integer(),
  flag: Type.Boolean(),
  json: Type.String(),
  contacts: Type.Array(Shape('LeadContact', { value: Type.String(), label: Type.String() })),
} satisfies Record<FieldKind, TSchema>

type Spec<Name extends LeadField> = (typeof leadFields)[Name]
type Plain<Name extends LeadField> = (typeof answers)[Spec<Name>['kind']]
/** The search always returns text for JSON. Without contacts the list is empty. */
type Answer<Name extends LeadField> =
  Spec<Name> extends { notNull: true } | { kind: 'json' | 'contacts' }
    ? Plain<Name>
    : TUnsafe<Static<Plain<Name>> | null>

function answerShape(name: LeadField): TSchema {
  const { kind, ...spec } = leadFields[name]
  if (name === 'id') return Id
  return 'notNull' in spec || kind === 'json' || kind === 'contacts'
    ? answers[kind]
    : Nullable(answers[kind])
}

function shapesOf<Name extends LeadField>(names: Name[]) {
  const shapes = Object.fromEntries(names.map((name) => [name, answerShape(name)]))
  return shapes as { [N in Name]: Answer<N> }
}

const plain = shapesOf(answeredFields)

export const Lead = Shape('Lead', plain)

const toldShapes = {
  id: Id,
  name: Type.String(),
  emoji: Type.String(),
  color: Type.String(),
  type: Text,
  id_list: Type.String(),
  email: Type.String(),
}

type Told<Name extends ToldRelation> = TArray<
  TObject<{
    [Property in (typeof leadRelations)[Name]['told'][number]]: (typeof toldShapes)[Property]
  }>
>

function toldShape(relation: ToldRelation): TSchema {
  const { told, record } = leadRelations[relation]
  const shapes = Object.fromEntries(told.map((name) => [name, toldShapes[name]]))
  return Type.Array(Shape(`${capitalised(record)}OfLead`, shapes))
}

const capitalised = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

const told = Object.fromEntries(toldRelations.map((name) => [name, toldShape(name)])) as {
  [Name in ToldRelation]: Told<Name>
}

export const LeadWithRelations = Shape('LeadWithRelations', {
  ...plain,
  contract_amount: Nullable(
    Type.Number({ description: 'Extension: contract_value with its decimals' }),
  ),
  ...shapesOf(extendedFields),
  ...told,
  attributes: AnyObject(),
})
/** A lead as most responses contain it. */
export type LeadWithRelations = Static<typeof LeadWithRelations>

export const OneLead = Shape('OneLead', {
  ...LeadWithRelations.properties,
  merged_from: Type.Optional(
    Type.Array(Id, {
      description:
        'The leads that were merged into this one, if there are any. Their ids lead to it.',
    }),
  ),
})

/** The first match is right: each has all the fields of the next. */
const ListedLead = Type.Union([LeadWithRelations, Lead, Shape('LeadId', { id: Id })], {
  title: 'ListedLead',
  description:
    'A lead with its relations; with include false, without them; with id_only, just its id.',
})

export const LeadPage = Shape('LeadPage', {
  leads: Type.Array(ListedLead),
  pagination: Type.Union(
    [
      Shape('LeadPageInfo', {
        page: Type.Integer(),
        page_size: Type.Integer(),
        next_cursor: Nullable(
          Type.Integer({
            description: 'Send it as cursor to get the next page. Null on the last page.',
          }),
        ),
      }),
      Shape('AllLeadsInfo', { all: Type.Literal(true) }),
    ],
    { description: 'In the form you requested' },
  ),
  total: Type.Integer({ description: 'Number of leads on all pages' }),
})

export const FoundLead = Shape('FoundLead', {
  ...shapesOf(foundFields),
  company_enrich: Type.String(),
  custom_fields_schema: Type.String(),
})

/** One id, or several. */
const Refs = Type.Unsafe<string | string[] | null>({
  type: ['string', 'array', 'null'],
  items: { type: 'string' },
  maxItems: maxRefs,
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
  contacts: Type.Unsafe<(string | { value: string; label?: string | null })[] | null>({
    type: ['array', 'null'],
    maxItems: maxContacts,
    description:
      'Extension: all but the first, in their order. Each is {value, label} or just the value; null or [] removes all.',
    items: {
      type: ['string', 'object'],
      title: 'LeadContactInput',
      maxLength: maxContact,
      properties: {
        value: Type.String({ maxLength: maxContact }),
        label: Nullable(Type.String({ maxLength: maxContactLabel })),
      },
      required: ['value'],
    },
  }),
}

type Written<Name extends LeadField> = {
  [N in Name]: (typeof written)[(typeof leadFields)[N]['kind']]
}

function writtenShapes<Name extends LeadField>(names: Name[]): Written<Name> {
  const entries = names.map((name) => [name, written[leadFields[name].kind]])
  return Object.fromEntries(entries) as Written<Name>
}

/** Accepted in addition to the fields, when creating and when changing. */
const beside = {
  contract_amount: Type.Unsafe<string | number | null>({
    type: ['string', 'number', 'null'],
    description: `Extension: the contract value with up to ${maxDecimals} decimals. contract_value is then the same, rounded.`,
  }),
  id_list: Nullable(Ref),
  attributes: AnyObject({
    maxProperties: maxRefs,
    description: 'Attribute id → value; null clears the value',
  }),
}

export const LeadInput = AllOptional(
  Shape('LeadInput', {
    ...writtenShapes<CreateField>(createFields),
    ...beside,
    company_avatar_url: Text,
    company_linkedin_url: Text,
    create_company_if_not_exists: Type.Boolean({ default: true }),
    auto_assign_owner: Type.Boolean({ default: true }),
    ...each(toldRelations, Refs),
  }),
)

const IdArray = Limited(Type.String(), maxRefs)
const suffixed = <N extends string, S extends string>(names: readonly N[], suffix: S) =>
  names.map((name): `${N}_${S}` => `${name}_${suffix}`)

/** What update-many does to each selected lead, and PATCH /lead/{id} to one. */
export const LeadChange = AllOptional(
  Shape('LeadChange', {
    ...writtenShapes<ChangeField>(changeFields),
    ...beside,
    ...each(relationNames, IdArray),
    ...each(suffixed(relationNames, 'connect'), IdArray),
    ...each(suffixed(disconnectRelations, 'disconnect'), IdArray),
  }),
)

export const LeadCriteria = Documented(
  AllOptional(Shape('LeadCriteria', each(matchFields, Type.String({ maxLength: 10_000 })))),
  { minProperties: 1 },
)

/** The handler reports an unknown field. */
const orderField = (title: string, description: string, ...more: object[]) =>
  Documented(Type.String(), {
    title,
    description,
    anyOf: [
      OneOf(answeredFields, { title: 'LeadField' }),
      OneOf(singleRelations, { title: 'LeadOrderRelation' }),
      Id,
      ...more,
    ],
  })
const orderInWords =
  'A field of a lead. Extensions: status, in the order of the pipeline; owners, by the name of the first owner; the id of a custom attribute'

/** What a view and an export are ordered by. */
export const FieldOrder = Shape('FieldOrder', {
  field: orderField('FieldOrderField', orderInWords),
  type: Type.Optional(SortDirection),
})

const LeadOrder = Shape('LeadOrder', {
  field: orderField(
    'LeadOrderField',
    `${orderInWords}; place, the order within a status, as on a board. place must be the only field and requires exactly one status in the filter.`,
    OneOf(['place']),
  ),
  type: Type.Optional(SortDirection),
})

export const LeadQuery = AllOptional(
  Shape('LeadQuery', {
    cursor: Nullable(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Number of leads to skip. Overrides page.',
      }),
    ),
    filter: LeadFilter,
    pagination: AllOptional(
      Shape('LeadPageRequest', {
        all: Type.Boolean({ description: 'Stream all leads at once' }),
        page: Type.Integer({
          minimum: 0,
          maximum: Number.MAX_SAFE_INTEGER,
          description: 'The first page is 1',
        }),
        page_size: PageSize,
      }),
    ),
    orderBy: Limited(LeadOrder, 100),
    include: Type.Boolean({
      default: true,
      description: 'Include lists, status, tags, owners and attributes',
    }),
    id_only: Type.Boolean({ description: 'Return only ids' }),
    mode: OneOf(['default', 'pipeline'], {
      default: 'default',
      description: 'pipeline: ordered by status, then by place within the status',
    }),
  }),
)

export const DeletedLeadQuery = AllOptional(
  Shape('DeletedLeadQuery', {
    filter: LeadFilter,
    after: Type.String({ description: '`next` of the previous page' }),
    page_size: PageSize,
  }),
)

export const DeletedLead = Shape('DeletedLead', {
  ...LeadWithRelations.properties,
  deleted_by: Nullable(
    Type.String({ description: 'The member who deleted it, as far as the change feed knows' }),
  ),
})
export type DeletedLead = Static<typeof DeletedLead>

export const DeletedLeadPage = Shape('DeletedLeadPage', {
  leads: Type.Array(DeletedLead),
  next: Nullable(Type.String({ description: 'Send it as after to get the next page' })),
  total: Type.Integer({ description: 'Number of leads on all pages' }),
  kept_days: Nullable(
    Type.Integer({
      description:
        'Deleted leads are permanently erased after this many days (DELETED_KEEP); null: never automatically',
    }),
  ),
})
