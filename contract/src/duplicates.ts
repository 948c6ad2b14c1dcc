// Leads that may be the same.
import { Type } from 'typebox'
import { keyKinds, keyKindTable, largeGroup } from './duplicates.values.ts'
import { leads } from './leads/routes.ts'
import { LeadWithRelations } from './leads/shapes.ts'
import { route } from './route.ts'
import {
  AllOptional,
  DateTime,
  Documented,
  each,
  Limited,
  Message,
  Nullable,
  OneOf,
  PageLimit,
  Ref,
  Shape,
} from './shapes.ts'

export const groupLimits = { min: 1, max: 100, otherwise: 20 }

const Kind = OneOf(keyKinds, {
  title: 'DuplicateKind',
  description: keyKinds.map((kind) => `${kind}: ${keyKindTable[kind].says}.`).join(' '),
})

const Count = Type.Integer({ minimum: 0 })

const DuplicateGroup = Shape('DuplicateGroup', {
  kind: Kind,
  key: Type.String({ description: 'What the leads have in common, as it is compared' }),
  confidence: Type.Number({
    minimum: 0,
    maximum: 1,
    description: 'How likely they are the same',
  }),
  reasons: Type.Array(Type.String(), {
    description: 'What all of them have in common, in words, and what suggests that they differ',
  }),
  leads: Type.Array(LeadWithRelations, {
    description: `Oldest first; if there are more than ${largeGroup}, the first few`,
  }),
  size: Type.Integer({ description: 'How many leads there are' }),
})

/** Lists and counts tell of the same groups. */
const what = `Leads with the same key of a kind form a group. Groups of more than ${largeGroup} leads (an address like info@, the number of a switchboard) are listed separately, and dismissed groups are omitted.`

const Dismissed = Shape('Duplicates', {
  leads: Limited(Ref, largeGroup, {
    minItems: 2,
    description: 'The leads of a group',
  }),
})

const { lead, otherLead } = leads.examples

export const duplicates = {
  name: 'Duplicates',
  description: `Leads that may be the same. ${what} To merge leads, run an operation of the kind "merge". See docs/DUPLICATES.md.`,
  routes: {
    list: route('GET /duplicates', {
      operationId: 'listDuplicates',
      role: 'read',
      summary: 'List leads that may be the same',
      description: `${what} Without kind: those of all kinds, the strongest first, and a group whose leads all have a stronger key in common is not repeated. Send \`next\` of the previous page as \`cursor\` to continue. A page may have fewer groups than \`limit\`, or none, and still a next one: each reads a limited number of keys and leads.`,
      query: AllOptional(
        Shape('DuplicateQuery', {
          kind: OneOf(keyKinds, { description: 'Only groups of this kind' }),
          large: OneOf(['true', 'false'], {
            description: `true: only groups of more than ${largeGroup} leads`,
          }),
          cursor: Type.String({ description: '`next` of the previous page' }),
          limit: PageLimit(groupLimits),
        }),
      ),
      reply: Shape('DuplicatePage', {
        groups: Type.Array(DuplicateGroup),
        next: Nullable(Type.String({ description: 'Null at the end' })),
      }),
      example: { query: { limit: 10 } },
    }),
    counts: route('GET /duplicates/counts', {
      operationId: 'getDuplicateCounts',
      role: 'read',
      summary: 'Count groups of leads that may be the same',
      description: `${what} In a large workspace the numbers are those of up to a few minutes ago.`,
      reply: Shape('DuplicateCounts', {
        counts: Shape('DuplicateCountsByKind', each(keyKinds, Count)),
        large: Documented(Count, { description: `Groups of more than ${largeGroup} leads` }),
        total: Documented(Count, {
          description: 'Groups of all kinds, without repeated ones',
        }),
        counted_at: DateTime,
        building: Nullable(
          Shape('KeysBuilding', {
            done: Documented(Count, {
              description:
                'Leads that have been compared: more groups may appear. Imports and new releases leave this to the background',
            }),
            of: Documented(Count, { description: 'Leads, deleted ones included' }),
          }),
        ),
      }),
    }),
    dismiss: route('POST /duplicates/dismiss', {
      operationId: 'dismissDuplicates',
      role: 'write',
      summary: 'Mark leads as not duplicates',
      description:
        'Records that no two of these leads are the same. A group is omitted when all its pairs are dismissed.',
      body: Dismissed,
      reply: Message,
      example: { body: { leads: [lead, otherLead] } },
    }),
    undismiss: route('POST /duplicates/undismiss', {
      operationId: 'undismissDuplicates',
      role: 'write',
      summary: 'Mark leads as possible duplicates again',
      description: 'Removes the dismissals of all pairs of these leads.',
      body: Dismissed,
      reply: Message,
      example: { body: { leads: [lead, otherLead] } },
    }),
  },
}
