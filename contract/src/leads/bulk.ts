// What bulk changes take: the data of each kind of operation, and the bodies of the bulk routes.
import { type Static, Type } from 'typebox'
import { keyKinds, largeGroup } from '../duplicates.values.ts'
import { operationTable, type PreviewKind, previewKinds } from '../operations.values.ts'
import { AnyObject, Limited, maxRefs, OneOf, Ref, Shape } from '../shapes.ts'
import { LeadFilter } from './filter.ts'
import { mergeRules } from './merge.values.ts'
import { LeadChange } from './shapes.ts'

const tracking = { remove_tracking: Type.Optional(Type.Boolean()) }
const list = { id_list: Ref }
const source = { id_source: Ref }
const turns = { owners: Limited(Ref, maxRefs, { minItems: 1 }) }
/** A misspelled name would change who owns what. */
const closed = { additionalProperties: false }

/** The shapes that `data` can have. */
const shapes = {
  change: LeadChange,
  tracking: Type.Object(tracking),
  list: Type.Object(list),
  lists: Type.Object({ ...list, ...source }),
  turns: Type.Object(turns, closed),
  handover: Type.Object({ from: Ref, ...turns, reminders: Type.Optional(Type.Boolean()) }, closed),
  nothing: Type.Object({}),
  deleted: Type.Object({ deleted: Type.Optional(Type.Boolean()) }),
  merge: Type.Object(
    {
      by: Type.Optional(OneOf(keyKinds)),
      survivor: Ref,
      rule: Type.Optional(OneOf(mergeRules)),
      fields: Type.Optional(AnyObject({ maxProperties: maxRefs })),
    },
    closed,
  ),
}

const inWords: Record<keyof typeof shapes, string> = {
  change: 'the data of PATCH /leads/update-many',
  tracking: '{"remove_tracking"}',
  list: '{"id_list"}',
  lists: '{"id_list", "id_source"}; id_list is the destination',
  turns:
    '{"owners"}: members who get the leads in turn, those with the fewest leads first; each lead then has one owner',
  handover:
    '{"from", "owners"}: the leads of the member `from` go to these members in turn; other owners stay. With "reminders": true, all open reminders of the member go to them too',
  nothing: '{}',
  deleted: '{"deleted"} (preview only)',
  merge: `{"survivor"}: the id of the lead that stays, or "oldest", "newest" or "fullest". The selected leads, 2 to ${largeGroup}, become one; with "by", a kind of GET /duplicates, those of the selected leads that have it in common do, group by group. Groups of more than ${largeGroup}, or with leads that were dismissed as duplicates, are skipped. "rule" says which value a field gets: "survivor" (the default), "newest" or "longest"; an empty field is filled from the others. "fields" chooses for single fields and attribute ids: a rule, {"value"} or, without "by", {"from": the id of a lead}`,
}

export const dataInWords = Object.entries(inWords)
  .map(([name, text]) => {
    const kinds = previewKinds.filter((kind) => operationTable[kind].data === name)
    return `${kinds.join(', ')}: ${text}.`
  })
  .join(' ')

type ShapeOf<K extends PreviewKind> = (typeof shapes)[(typeof operationTable)[K]['data']]

/** The data of each kind. */
export type BulkData = { [K in PreviewKind]: Static<ShapeOf<K>> }

export const dataShape = (kind: PreviewKind) => shapes[operationTable[kind].data]

/** The leads to change. */
export const LeadSelection = Shape('LeadSelection', { filter: LeadFilter })
export const LeadsUpdate = Shape('LeadsUpdate', { data: LeadChange, filter: LeadFilter })
export const LeadsTracking = Shape('LeadsTracking', { ...tracking, filter: LeadFilter })
export const LeadsToList = Shape('LeadsToList', { ...list, filter: LeadFilter })
export const LeadsMove = Shape('LeadsMove', { ...source, filter: LeadFilter })
