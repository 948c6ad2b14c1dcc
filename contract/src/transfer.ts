import { Type } from 'typebox'
import { attributeTypes } from './attributes.values.ts'
import { LeadFilter } from './leads/filter.ts'
import { FieldOrder } from './leads/shapes.ts'
import { route } from './route.ts'
import { AllOptional, DateTime, Nullable, OneOf, Shape } from './shapes.ts'
import {
  alikeCharacters,
  asks,
  dateOrders,
  decimals,
  duplicateWays,
  encodings,
  fileFormats,
  formats,
  importFormats,
  maxAlikeRows,
  maxFileBytes,
  maxUnknownValues,
  onceWays,
  unknownWays,
  upsertKeys,
} from './transfer.values.ts'

export * from './transfer.values.ts'

/** The parameter may occur more than once. */
const Several = (description: string) =>
  Type.Unsafe<string | string[]>({
    type: ['string', 'array'],
    items: { type: 'string' },
    description,
  })
const Flag = (description: string) => OneOf(['true', 'false'], { description })

const Names = Type.Array(Type.String())

const exportTypes = formats.map((format) => fileFormats[format].type)

/** How far an import got. */
const counts = {
  created: Type.Integer(),
  updated: Type.Integer(),
  skipped: Type.Integer({
    description: 'Rows with the id of an existing lead, and rows without data',
  }),
}

const Import = Shape('Import', {
  id: Type.String({ format: 'uuid', description: 'Also the id of the operation' }),
  file: Type.String({ description: 'The name of the file' }),
  ...counts,
  rejected: Type.Integer(),
  started_at: DateTime,
  updated_at: DateTime,
  finished_at: Nullable(
    Type.String({
      format: 'date-time',
      description: 'Null while it is running or if it was interrupted',
    }),
  ),
  has_rejected: Type.Boolean({
    description: 'The rejected rows are available at GET /imports/{id}/rejected',
  }),
})

const LeadExport = AllOptional(
  Shape('LeadExport', {
    filter: LeadFilter,
    format: OneOf(formats, { default: 'csv' }),
    orderBy: Type.Array(FieldOrder, { maxItems: 20, description: 'Default: oldest first' }),
    columns: Type.Array(Type.String(), {
      maxItems: 500,
      description:
        'Only these columns, in this order: fields of a lead, relations (lists, status, tags, owners), attribute ids, or "name". Default: all.',
    }),
    raw: Type.Boolean({
      default: false,
      description:
        "CSV only: write cells as they are. By default, a cell that a spreadsheet would run as a formula is prefixed with an apostrophe ('=1+1), which an import removes. Numbers and phone numbers are never prefixed.",
    }),
    labels: Type.Boolean({
      default: false,
      description:
        'CSV only: for people. The headers are the labels of the fields and the names of the attributes, and the file begins with a byte order mark, so that spreadsheets read it as UTF-8. An import reads it like any other export.',
    }),
  }),
)

const examples = { import: '01920000-0000-7000-8000-000000000018' }

export const transfer = {
  name: 'Import and export',
  description: 'Import leads from files and export them to files.',
  examples,
  routes: {
    import: route('POST /leads/import', {
      operationId: 'importLeads',
      role: 'write',
      summary: 'Import leads from CSV, NDJSON or XLSX',
      description: `Recognizes exports from HubSpot, Salesforce, Pipedrive, LinkedIn, Outlook, Google, Apollo, Zoho and Close and imports them without any parameters. Matches columns by their header (field names, attribute names, and the usual names in other systems and languages) and by their values. The response lists every column with its field, the reason and samples. Tags, lists and statuses are looked up by name and created if missing. Owners are looked up by email or name. The id in the other system is stored in an attribute. The service reads the whole body before it writes anything, then imports rows in batches, each in one transaction. The body may be up to ${maxFileBytes / 2 ** 30} GiB. With once=true, the service tracks progress: an interrupted import continues when you send the same file again, and rejected rows are kept as a file (GET /imports/{id}/rejected). With progress=true, the response is a stream of server-sent events: \`progress\` while the import runs, then \`result\` with the response or \`fault\` with an error.`,
      accepts: importFormats.map((format) => fileFormats[format].type),
      query: AllOptional(
        Type.Object({
          map: Several(
            'Maps a column to a field: Header=field, or #3=field for the third column. The field can also be attribute:NAME, - to ignore the column, new to create an attribute named after the column, or new:TYPE to set its type as well',
          ),
          value: Several(
            'What a value of a status column or of a select attribute becomes: Header=Value=>Name, where Name is the name or id of a status or an option, + to create it, - to leave it empty, or ! to reject its rows. #3 is the third column',
          ),
          unknown: OneOf(unknownWays, {
            description:
              'What to do with other unknown statuses and options: create them, leave them empty, or reject their rows. Default: statuses are created, options are rejected unless create_attributes is true',
          }),
          list: Several('Add every lead to this list (name or id)'),
          tag: Several('Add this tag to every lead (name or id)'),
          upsert_by: Type.String({
            description: `Update the lead that has the same value instead of creating one: ${upsertKeys.join(', ')} (the id in another system), or attribute:SLUG`,
          }),
          skip_existing: Flag('With upsert_by: skip rows that match an existing lead'),
          duplicates: OneOf(duplicateWays, {
            description:
              'What to do with rows that match no lead by upsert_by but look like an existing one (same email, phone number or LinkedIn profile, and no different name): create a lead anyway, update the existing one, or skip the row. Default: create',
          }),
          duplicate_rows: Several(
            'The same for single rows and ranges, which takes precedence: skip=5,9-12. A row that is not in the file is an error. A single row that neither matches a lead nor looks like one is rejected',
          ),
          create_companies: Flag('Create a company lead for each person’s company'),
          create_attributes: Flag(
            'Create an attribute for each unmatched column; its type is inferred from all values',
          ),
          dates: OneOf(dateOrders, {
            description:
              'What comes first in dates such as 3/4/2026. Default: detected per column; an ambiguous column is rejected',
          }),
          decimal: OneOf(decimals, {
            description: 'The decimal separator. Default: detected per column',
          }),
          dry_run: Flag('Report what would happen without writing anything'),
          columns_only: Flag(
            'Report how the columns would be mapped without checking rows; faster than dry_run',
          ),
          once: OneOf(onceWays, {
            description:
              'Track the import by the content of the file. true: continue an interrupted import of the same content; refuse a file that has already been imported. continue: the same, with the original options. again: start over. The import stops if the caller disconnects. Default: the import is not tracked',
          }),
          file: Type.String({ description: 'File name to show in GET /imports' }),
          progress: Flag('Respond with server-sent events from the start'),
          encoding: OneOf(encodings, { description: 'Default: detected from the content' }),
          separator: Type.String({
            description: 'CSV only. Default: detected from the first lines',
          }),
          sheet: Type.String({
            description: 'XLSX only: the name of the sheet. Default: the first sheet',
          }),
        }),
      ),
      reply: Shape('ImportResult', {
        id: Nullable(
          Type.String({
            format: 'uuid',
            description: 'The id of the operation. Null for a dry run',
          }),
        ),
        system: Nullable(
          Type.String({ description: 'Where the file comes from, for example HubSpot contacts' }),
        ),
        rows: Type.Integer({ description: 'Rows in the file' }),
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
              'The first 1,000. Rows are numbered as in a spreadsheet; in NDJSON, the row is the line.',
          },
        ),
        companies: Type.Integer({ description: 'Companies created for people' }),
        unmatched: Type.Integer({
          description:
            'With upsert_by: rows without a usable value, such as "n/a" for an email. They create leads.',
        }),
        duplicates: Shape('ImportDuplicates', {
          rows: Type.Integer({
            description:
              'Rows that look like an existing lead; see `duplicates` in the query. Without `duplicates` or `duplicate_rows`, only a dry run looks for them',
          }),
          sample: Type.Array(
            Type.Object({
              row: Type.Integer(),
              lead: Type.String({ format: 'uuid' }),
              values: Type.Array(Type.String(), {
                description: `What the row says: name, company, email, phone number and LinkedIn profile, each truncated to ${alikeCharacters} characters`,
              }),
            }),
            { description: `The first ${maxAlikeRows.toLocaleString('en')}` },
          ),
        }),
        made: Type.Object({ lists: Names, status: Names, tags: Names, attributes: Names }),
        unknown_owners: Type.Array(Type.Object({ owner: Type.String(), rows: Type.Integer() }), {
          description: 'Owners that are not members and were skipped',
        }),
        unknown_values: Type.Array(
          Type.Object({
            column: Type.Integer({ description: 'Its place in the file, from 1' }),
            header: Type.String(),
            field: Type.String({ description: 'status, or attribute:SLUG' }),
            value: Type.String(),
            rows: Type.Integer(),
            nearest: Nullable(
              Type.Object(
                { id: Type.String({ format: 'uuid' }), name: Type.String() },
                { description: 'The status or option that was probably meant' },
              ),
            ),
          }),
          {
            description: `Statuses and options that the workspace does not have and that no \`value\` covers: the first ${maxUnknownValues}. A dry run lists them before anything is written`,
          },
        ),
        lost_relations: Type.Integer({
          description: 'Values that refer to a lead that does not exist',
        }),
        columns: Type.Array(
          Type.Object({
            header: Type.String(),
            field: Nullable(Type.String({ description: 'Null when the column is ignored' })),
            why: Type.String({
              description: 'Why it was mapped to this field, or why it is ignored',
            }),
            more: Nullable(
              Type.String({
                description:
                  'Where values go that do not fit in the field: other_emails, other_phones, or an attribute',
              }),
            ),
            samples: Type.Array(Type.String(), { description: 'Up to three distinct values' }),
            type: Nullable(
              OneOf(attributeTypes, {
                description:
                  'The type that a new attribute for the column would have. Null if the column is empty',
              }),
            ),
            ask: Nullable(
              OneOf(asks, {
                description:
                  'The parameter to send because the values are ambiguous (columns_only)',
              }),
            ),
          }),
        ),
        other_lines: Type.Integer({
          description: 'Skipped lines of text before the header and after the rows',
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
    export: route('POST /leads/export', {
      operationId: 'exportLeads',
      role: 'read',
      summary: 'Export the leads that a filter selects as CSV or NDJSON',
      description:
        'Exports all fields with lists, statuses, tags, owners and attributes, oldest first, in the format that POST /leads/import reads. NDJSON also has notes and reminders and, in the first line, the definitions of attributes, lists, statuses and tags, so that an import into another workspace can create them. Use `columns` and `orderBy` to change that.',
      body: LeadExport,
      produces: exportTypes,
      reply: Type.String(),
      example: { body: { filter: { email_status: 'with_email' }, format: 'csv' } },
    }),
    exportByLink: route('GET /leads/export', {
      operationId: 'exportLeadsByLink',
      role: 'read',
      summary: 'Export leads with a link',
      description:
        'Same as POST /leads/export, but a browser can save the file without holding it in memory.',
      query: Type.Object({
        request: Type.String({ description: 'The body of POST /leads/export, as JSON' }),
        name: Type.Optional(
          Type.String({
            ...{ minLength: 1, maxLength: 120 },
            description: 'The name of the file, without its extension. Default: leads.',
          }),
        ),
      }),
      produces: exportTypes,
      reply: Type.String(),
      example: { query: { request: '{"filter":{"email_status":"with_email"}}' } },
    }),
    imports: route('GET /imports', {
      operationId: 'listImports',
      role: 'read',
      summary: 'List file imports',
      description:
        'Returns the 50 newest tracked imports: those with `once` or from the command line.',
      reply: Type.Array(Import, { title: 'Imports' }),
    }),
    rejected: route('GET /imports/{id}/rejected', {
      operationId: 'exportRejectedRows',
      role: 'read',
      summary: 'Get the rejected rows of an import',
      description:
        'Returns a file in the format of the import, with the reasons in the first column. Fix the rows and import the file as is. Empty if no row was rejected. The rows are kept as long as the import can be undone.',
      produces: exportTypes,
      reply: Type.String(),
      example: { id: examples.import },
    }),
  },
}
