import { Type } from 'typebox'
import { LeadFilter } from './leads/filter.ts'
import { route } from './route.ts'
import { AllOptional, Nullable, OneOf, Shape } from './shapes.ts'

export const formats = ['csv', 'ndjson'] as const
export type Format = (typeof formats)[number]

/** What an import reads. A workbook is read as the CSV of one sheet. */
export const importFormats = [...formats, 'xlsx'] as const

export const encodings = ['utf-8', 'latin1', 'utf-16'] as const
export type Encoding = (typeof encodings)[number]

/** What an import may find existing leads by, beside `attribute:SLUG`. */
export const upsertKeys = ['email', 'linkedin_url', 'phone', 'id', 'foreign_id'] as const

/** Which of day, month and year comes first in dates such as 3/4/2026. */
export const dateOrders = ['dmy', 'mdy', 'ymd'] as const
export type DateOrder = (typeof dateOrders)[number]

/** What stands before decimals: 1,234.56 has a point, 1.234,56 a comma. */
export const decimals = ['point', 'comma'] as const

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
      summary: 'Import leads from CSV, NDJSON or XLSX',
      description:
        'Exports of HubSpot, Salesforce, Pipedrive, LinkedIn, Outlook, Google, Apollo, Zoho and Close are recognised, and go in without any parameter. Columns are matched by their header (the names of the fields, of attributes, and the usual names in other systems and languages) and by what stands in their cells. The answer lists every column with its field, the reason and samples. Tags, lists and statuses are found by name, and created if they are missing. Owners are found by email or name. The id in the other system is kept in an attribute. The service reads the whole body before it writes anything; then rows are imported in batches, each in one transaction. The body may have 1 GiB.',
      extension: true,
      accepts: [
        'text/csv',
        'application/x-ndjson',
        'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      ],
      query: AllOptional(
        Type.Object({
          map: Several(
            'Sets the field of a column: Header=field. The field may be attribute:NAME, or - to ignore the column',
          ),
          list: Several('A list for every lead, by name or id'),
          tag: Several('A tag for every lead, by name or id'),
          upsert_by: Type.String({
            description: `Change the lead that has the same value instead of creating one: ${upsertKeys.join(', ')} (the id in another system), or attribute:SLUG`,
          }),
          create_companies: Flag('Create the company of each person who names one'),
          create_attributes: Flag(
            'Create an attribute for each column that matches nothing; the type is taken from all values',
          ),
          dates: OneOf(dateOrders, {
            description:
              'What comes first in dates such as 3/4/2026. Found in the columns when absent; a column that can be read in both ways is refused',
          }),
          decimal: OneOf(decimals, {
            description: 'What stands before decimals. Found in the columns when absent',
          }),
          dry_run: Flag('Report what would happen, and write nothing'),
          encoding: OneOf(encodings, { description: 'Found in the content when absent' }),
          separator: Type.String({ description: 'Of CSV. Found in the first lines when absent' }),
          sheet: Type.String({ description: 'Of XLSX: the name of the sheet. Default: the first' }),
        }),
      ),
      reply: Shape('ImportResult', {
        system: Nullable(
          Type.String({ description: 'Where the file comes from, such as HubSpot contacts' }),
        ),
        total: Type.Integer(),
        created: Type.Integer(),
        updated: Type.Integer(),
        skipped: Type.Integer({
          description: 'Rows with the id of a lead that exists already, and rows without any data',
        }),
        rejected_total: Type.Integer(),
        rejected: Type.Array(
          Type.Object({
            row: Type.Integer(),
            reason: Type.String({ description: 'Everything that is wrong with the row' }),
          }),
          {
            description:
              'The first thousand. Rows are counted as in a spreadsheet; of NDJSON the row is the line.',
          },
        ),
        companies: Type.Integer({ description: 'Companies created beside persons' }),
        made: Type.Object({ lists: Names, status: Names, tags: Names, attributes: Names }),
        unknown_owners: Type.Array(Type.Object({ owner: Type.String(), rows: Type.Integer() }), {
          description: 'They are not members, and were left out',
        }),
        lost_relations: Type.Integer({
          description: 'Values that name a lead that does not exist',
        }),
        columns: Type.Array(
          Type.Object({
            header: Type.String(),
            field: Nullable(Type.String({ description: 'Null when the column is ignored' })),
            why: Type.String({ description: 'Why it is this field, or why it is ignored' }),
            more: Nullable(
              Type.String({
                description: 'The attribute for values that the field has no room for',
              }),
            ),
            samples: Type.Array(Type.String(), { description: 'Up to three different values' }),
          }),
        ),
        other_lines: Type.Integer({
          description: 'Lines of text before the header and after the rows, which were left out',
        }),
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
