// The OpenAPI document of the running service: what can be called, and how answers must look.
import type { ValidateFunction } from 'ajv'
import { exactSchemas } from '../test/exact-schema.ts'
import type { Answer } from '../test/http-client.ts'

export interface Schema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  format?: string
  pattern?: string
  minimum?: number
  maximum?: number
  maxLength?: number
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  additionalProperties?: unknown
}

interface Content {
  schema: Schema
}

interface DescribedOperation {
  parameters?: { name: string; in: string; schema: Schema }[]
  requestBody?: { content: Record<string, Content> }
  responses: Record<string, { content: Record<string, Content> }>
}

export interface Operation {
  /** "POST /lead" */
  name: string
  method: string
  path: string
  /** The kind of record that the path names: lead, list, status … */
  kind: string
  query: { name: string; schema: Schema }[]
  body: Schema | undefined
  /** Content types of the body. */
  types: string[]
  /** The schema of the response, when it is JSON. */
  answer: Schema | undefined
  statuses: string[]
  check: ValidateFunction | undefined
}

export interface Document {
  operations: Operation[]
  kinds: Set<string>
  resolve(schema: Schema): Schema
  /** Returns the operation that a request with this method and path reaches. */
  match(method: string, path: string): Operation | undefined
  /** Returns what is wrong with a response; undefined when it is as documented. */
  fault(answer: Answer, operation: Operation | undefined): string | undefined
}

/** leads → lead; "status" is singular already. */
export const singular = (word: string) => (word === 'status' ? word : word.replace(/s$/, ''))

export function readDocument(document: {
  paths: Record<string, Record<string, DescribedOperation>>
  components: { schemas: Record<string, Schema> }
}): Document {
  const compile = exactSchemas(document.components)
  const resolve = (schema: Schema): Schema => {
    if (schema.$ref === undefined) return schema
    const found = document.components.schemas[schema.$ref.split('/').at(-1) ?? '']
    if (!found) throw new Error(`The document does not define ${schema.$ref}`)
    return found
  }
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]): Operation => {
      const contents = Object.entries(described.requestBody?.content ?? {})
      const answer = described.responses[200]?.content['application/json']?.schema
      return {
        name: `${method.toUpperCase()} ${path}`,
        method: method.toUpperCase(),
        path,
        kind: singular(path.split('/')[1] ?? ''),
        query: (described.parameters ?? []).filter((parameter) => parameter.in === 'query'),
        body: contents[0]?.[1].schema,
        types: contents.map(([type]) => type),
        answer: answer && resolve(answer),
        statuses: Object.keys(described.responses),
        check: answer && compile(answer),
      }
    }),
  )
  const isError = compile({ $ref: '#/components/schemas/ErrorBody' })
  return {
    operations,
    kinds: new Set([...operations.map(({ kind }) => kind), 'option', 'step']),
    resolve,
    match(method, path) {
      const parts = segments(path)
      return operations.find(
        (operation) =>
          operation.method === method &&
          isLike(['', 'rest', ...operation.path.split('/').slice(1)], parts),
      )
    },
    fault: (answer, operation) =>
      answer.status === 200
        ? successFault(answer, operation)
        : refusalFault(answer, operation?.statuses, isError),
  }
}

/** A slash that is encoded is part of a segment, as the router sees it. */
function segments(path: string): string[] {
  const [plain = ''] = path.split(/[?#]/)
  try {
    return plain.split('/').map(decodeURIComponent)
  } catch {
    return plain.split('/')
  }
}

const isLike = (pattern: string[], parts: string[]) =>
  pattern.length === parts.length &&
  pattern.every((part, index) => part === '{id}' || part === parts[index])

const isJson = ({ headers }: Answer) =>
  headers.get('content-type') === 'application/json; charset=utf-8'

function successFault(answer: Answer, operation: Operation | undefined): string | undefined {
  if (!operation) return 'is a success of an undocumented operation'
  const { check } = operation
  // Without a JSON schema in the document the response is a file to download.
  if (!check) return isJson(answer) ? 'is JSON instead of a file' : undefined
  // An import with progress=true.
  const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream')
  if (isStream && operation.name === 'POST /leads/import') return undefined
  if (!isJson(answer)) return `is ${answer.headers.get('content-type')} instead of JSON`
  return check(answer.body) ? undefined : `does not match its schema: ${describe(check)}`
}

/** The message that belongs to each code. */
const sentences: Record<string, string> = {
  BAD_REQUEST: 'Invalid input data',
  UNAUTHORIZED: 'Authorization not provided',
  FORBIDDEN: 'Insufficient access',
  NOT_FOUND: 'Not found',
}
const codes: Record<number, string> = { 401: 'UNAUTHORIZED', 403: 'FORBIDDEN', 404: 'NOT_FOUND' }
/** Errors of operations and of the change feed say themselves what is wrong. */
const explained: Record<number, string> = { 409: 'CONFLICT', 410: 'GONE' }
/** Statuses of HTTP itself, not documented by operations: timeout, address or headers too long. */
const transport = ['408', '414', '431']
/** Statuses of requests that reach no operation or are no valid HTTP. */
const unreadable = ['400', '404', '413', '415']

function refusalFault(
  answer: Answer,
  statuses = unreadable,
  isError: ValidateFunction,
): string | undefined {
  const { status } = answer
  if (status >= 500) return 'is a failure of the service'
  if (![...statuses, ...transport].includes(String(status))) return 'has an undocumented status'
  if (!String(answer.headers.get('content-type')).startsWith('application/json')) {
    return `is ${answer.headers.get('content-type')} instead of a JSON error`
  }
  if (!isError(answer.body)) return `does not match the schema of errors: ${describe(isError)}`
  const body = answer.body as { code: string; message: string; issues: unknown[] }
  if (explained[status]) {
    return body.code === explained[status] ? undefined : `should be ${explained[status]}`
  }
  const code = codes[status] ?? 'BAD_REQUEST'
  if (body.code !== code || body.message !== sentences[code]) return `should be ${code}`
  const told = body.issues.length
  // FORBIDDEN has one where a person must sign in.
  const most = { BAD_REQUEST: 100, FORBIDDEN: 1 }[code] ?? 0
  if (told > most || (code === 'BAD_REQUEST' && told < 1)) return `has ${told} issues`
  return undefined
}

function describe({ errors }: ValidateFunction): string {
  return JSON.stringify(
    errors?.map(({ instancePath, message, params }) => [instancePath, message, params]),
  )
}
