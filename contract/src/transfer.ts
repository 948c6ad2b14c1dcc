import { Type } from 'typebox'
import { attributeTypes } from './attributes.values.ts'
import { exampleIds } from './examples.ts'
import { LeadFilter } from './leads/filter.ts'
import { FieldOrder } from './leads/shapes.ts'
import { route } from './route.ts'
import { AllOptional, DateTime, Nullable, OneOf, Shape } from './shapes.ts'
import {
  asks,
  dateOrders,
  decimals,
  encodings,
  formats,
  onceWays,
  upsertKeys,
} from './transfer.values.ts'

export * from './transfer.values.ts'

/** One, or several: the parameter may be there more than once. */
const Several = (description: string) =>
  Type.Unsafe<string | string[]>({
    type: ['string', 'array'],
    items: { type: 'string' },
    description,
  })
const Flag = (description: string) => OneOf(['true', 'false'], { description })

const Names = Type.Array(Type.String())

/** How far an import came. */
const counts = {
  created: Type.Integer(),
  updated: Type.Integer(),
  skipped: Type.Integer({
    description: 'Rows with the id of a lead that exists already, and rows without any data',
  }),
}

const Import = Shape('Import', {
  id: Type.String({ format: 'uuid', description: 'Also the id of its operation' }),
  file: Type.String({ description: 'The name of the file' }),
  ...counts,
  rejected: Type.Integer(),
  started_at: DateTime,
  updated_at: DateTime,
  finished_at: Nullable(
    Type.String({ format: 'date-time', description: 'Null when it runs or was interrupted' }),
  ),
  has_rejected: Type.Boolean({ description: 'GET /imports/{id}/rejected has its rejected rows' }),
})

const LeadExport = AllOptional(
  Shape('LeadExport', {
    filter: LeadFilter,
    format: OneOf(formats, { default: 'csv' }),
    orderBy: Type.Array(FieldOrder, { maxItems: 20, description: 'Oldest first when absent' }),
    columns: Type.Array(Type.String(), {
      maxItems: 500,
      description:
        'Only these, in this order: fields of a lead, relations (lists, status, tags, owners), ids of attributes, or "name". Everything when absent.',
    }),
    raw: Type.Boolean({
      default: false,
      description:
        "Of CSV: leave cells as they are. Otherwise a cell that a spreadsheet would run as a formula gets an apostrophe in front ('=1+1), which an import removes. Numbers and phone numbers get none.",
    }),
  }),
)

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
        'Exports of HubSpot, Salesforce, Pipedrive, LinkedIn, Outlook, Google, Apollo, Zoho and Close are recognised, and go in without any parameter. Columns are matched by their header (the names of the fields, of attributes, and the usual names in other systems and languages) and by what stands in their cells. The answer lists every column with its field, the reason and samples. Tags, lists and statuses are found by name, and created if they are missing. Owners are found by email or name. The id in the other system is kept in an attribute. The service reads the whole body before it writes anything; then rows are imported in batches, each in one transaction. The body may have 1 GiB. With once=true the service remembers how far it came: an import that is interrupted goes on when the same file is sent again, and the rejected rows are kept as a file (GET /imports/{id}/rejected). With progress=true the answer is a stream of server-sent events: `progress` while it runs, then `result` with the answer, or `fault` with an error.',
      extension: true,
      accepts: [
        'text/csv',
        'application/x-ndjson',
        'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      ],
      query: AllOptional(
        Type.Object({
          map: Several(
            'Sets the field of a column: Header=field, or #3=field for the third column. The field may be attribute:NAME, - to ignore the column, or new for a new attribute with the name of the column; new:TYPE sets its type',
          ),
          list: Several('A list for every lead, by name or id'),
          tag: Several('A tag for every lead, by name or id'),
          upsert_by: Type.String({
            description: `Change the lead that has the same value instead of creating one: ${upsertKeys.join(', ')} (the id in another system), or attribute:SLUG`,
          }),
          skip_existing: Flag('With upsert_by: skip rows of leads that are there already'),
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
          columns_only: Flag(
            'Report what the columns would become, and look at no row: quicker than dry_run',
          ),
          once: OneOf(onceWays, {
            description:
              'Remember the import by the content of the file. true: go on where an import of the same content was interrupted; refuse a file that was imported before. continue: the same, with the options that it had. again: from the beginning. The import stops when the caller leaves. Without it nothing is remembered',
          }),
          file: Type.String({ description: 'The name of the file, for GET /imports' }),
          progress: Flag('Answer with server-sent events, from the beginning of the work'),
          encoding: OneOf(encodings, { description: 'Found in the content when absent' }),
          separator: Type.String({ description: 'Of CSV. Found in the first lines when absent' }),
          sheet: Type.String({ description: 'Of XLSX: the name of the sheet. Default: the first' }),
        }),
      ),
      reply: Shape('ImportResult', {
        id: Nullable(
          Type.String({ format: 'uuid', description: 'Of its operation. Null of a dry run' }),
        ),
        system: Nullable(
          Type.String({ description: 'Where the file comes from, such as HubSpot contacts' }),
        ),
        rows: Type.Integer({ description: 'Rows of the file' }),
        total: Type.Integer({ description: 'Rows that were read' }),
        ...counts,
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
            type: Nullable(
              OneOf(attributeTypes, {
                description: 'The type that a new attribute for it would have. Null when empty',
              }),
            ),
            ask: Nullable(
              OneOf(asks, {
                description: 'Its values can be read in two ways: say which (columns_only)',
              }),
            ),
          }),
        ),
        other_lines: Type.Integer({
          description: 'Lines of text before the header and after the rows, which were left out',
        }),
        encoding: Type.String(),
        separator: Nullable(Type.String()),
        dry_run: Type.Boolean(),
        before: Nullable(
          Type.Object(Import.properties, {
            description: 'An earlier import of the same content (columns_only)',
          }),
        ),
      }),
      example: {
        query: { list: 'Trade fair', upsert_by: 'email', once: 'again', file: 'fair.csv' },
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
        'Every field, with lists, statuses, tags, owners and attributes, oldest first, in the form that POST /leads/import reads. `columns` and `orderBy` choose otherwise.',
      extension: true,
      body: LeadExport,
      produces: ['text/csv', 'application/x-ndjson'],
      reply: Type.String(),
      example: { body: { filter: { email_status: 'with_email' }, format: 'csv' } },
    }),
    exportByLink: route({
      operationId: 'exportLeadsByLink',
      method: 'GET',
      path: '/leads/export',
      role: 'read',
      summary: 'Export leads by a link',
      description:
        'The same as POST /leads/export. A browser writes it to a file without holding it in memory.',
      extension: true,
      query: Type.Object({
        request: Type.String({ description: 'The body of POST /leads/export, as JSON' }),
      }),
      produces: ['text/csv', 'application/x-ndjson'],
      reply: Type.String(),
      example: { query: { request: '{"filter":{"email_status":"with_email"}}' } },
    }),
    imports: route({
      operationId: 'listImports',
      method: 'GET',
      path: '/imports',
      role: 'read',
      summary: 'List imports of files',
      description:
        'The newest 50 of those that the service remembers: with `once`, or by the command line.',
      extension: true,
      reply: Type.Array(Import, { title: 'Imports' }),
      example: {},
    }),
    rejected: route({
      operationId: 'exportRejectedRows',
      method: 'GET',
      path: '/imports/{id}/rejected',
      role: 'read',
      summary: 'Get the rejected rows of an import',
      description:
        'A file in the format of the import, with the reasons in the first column. Correct the rows and import it as it is. Empty when no row was rejected. The rows are kept as long as the import can be undone.',
      extension: true,
      produces: ['text/csv', 'application/x-ndjson'],
      reply: Type.String(),
      example: { id: exampleIds.import },
    }),
  },
}
