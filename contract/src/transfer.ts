import { Type } from 'typebox'
import { LeadFilter } from './leads/filter.ts'
import { route } from './route.ts'
import { AllOptional, Nullable, OneOf, Shape } from './shapes.ts'

export const formats = ['csv', 'ndjson'] as const
export type Format = (typeof formats)[number]

export const encodings = ['utf-8', 'latin1', 'utf-16'] as const
export type Encoding = (typeof encodings)[number]

/** What an import may find existing leads by. */
export const upsertKeys = ['email', 'linkedin_url', 'phone', 'id'] as const
export type UpsertKey = (typeof upsertKeys)[number]

/** One, or several: the parameter may be there more than once. */
const Several = (description: string) =>
  Type.Unsafe<string | string[]>({
    type: ['string', 'array'],
    items: { type: 'string' },
    description,
  })
const Flag = (description: string) => OneOf(['true', 'false'], { description })

const Names = Type.Array(Type.String())

export const transfer = {
  name: 'Import and export',
  description: 'Leads from files and to files.',
  routes: {
    import: route({
      operationId: 'importLeads',
      method: 'POST',
      path: '/leads/import',
      role: 'write',
      summary: 'Import leads from CSV or NDJSON',
      description:
        'Columns are matched by their header: the fields’ own names and the usual ones of other systems, and attributes by name. The answer names those that are ignored. Tags, lists and statuses are found by name and made when missing, owners by email. Rows go in by batches, each of them whole: a request that breaks off leaves the batches before. The body may have 1 GiB.',
      extension: true,
      accepts: ['text/csv', 'application/x-ndjson'],
      query: AllOptional(
        Type.Object({
          map: Several(
            'What a column is: Header=field. The field may be attribute:NAME, or - for none',
          ),
          list: Several('A list for every lead, by name or id'),
          tag: Several('A tag for every lead, by name or id'),
          upsert_by: OneOf(upsertKeys, {
            description: 'Change the lead with the same, if there is',
          }),
          create_companies: Flag('Make a company beside each person who names one'),
          dry_run: Flag('Say what would happen, and write nothing'),
          encoding: OneOf(encodings, { description: 'Found in the content when absent' }),
          separator: Type.String({ description: 'Of CSV. Found in the first line when absent' }),
        }),
      ),
      reply: Shape('ImportResult', {
        total: Type.Integer(),
        created: Type.Integer(),
        updated: Type.Integer(),
        skipped: Type.Integer({ description: 'Rows with the id of a lead that is there already' }),
        rejected_total: Type.Integer(),
        rejected: Type.Array(Type.Object({ row: Type.Integer(), reason: Type.String() }), {
          description: 'The first thousand. The header is row 1; of NDJSON the row is the line.',
        }),
        companies: Type.Integer({ description: 'Companies made beside persons' }),
        made: Type.Object({ lists: Names, status: Names, tags: Names }),
        unknown_owners: Type.Array(Type.Object({ owner: Type.String(), rows: Type.Integer() }), {
          description: 'They are no members, and were left out',
        }),
        lost_relations: Type.Integer({ description: 'Values that name a lead that is not there' }),
        columns: Type.Array(
          Type.Object({
            header: Type.String(),
            field: Nullable(Type.String()),
            why: Nullable(Type.String({ description: 'Why the column is ignored' })),
          }),
        ),
        encoding: Type.String(),
        separator: Nullable(Type.String()),
        dry_run: Type.Boolean(),
      }),
      example: {
        query: { list: 'Trade fair', upsert_by: 'email' },
        body: 'First Name,E-mail,Company,Tags\nAda,ada@analytical.example,Analytical Engines,Warm\n',
      },
    }),
    export: route({
      operationId: 'exportLeads',
      method: 'POST',
      path: '/leads/export',
      role: 'read',
      summary: 'Export the leads that a filter selects as CSV or NDJSON',
      description:
        'Every field, with lists, statuses, tags, owners and attributes, oldest first, in the form that POST /leads/import reads.',
      extension: true,
      body: AllOptional(
        Shape('LeadExport', { filter: LeadFilter, format: OneOf(formats, { default: 'csv' }) }),
      ),
      produces: ['text/csv', 'application/x-ndjson'],
      reply: Type.String(),
      example: { body: { filter: { email_status: 'with_email' }, format: 'csv' } },
    }),
  },
}
