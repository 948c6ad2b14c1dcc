// The OpenAPI document as the running service serves it: what can be called, and what must come back.
import type { ValidateFunction } from 'ajv'
import { exactSchemas } from '../test/exactSchema.ts'
import type { Answer } from './service.ts'

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
  /** What the path is about: lead, list, status … */
  kind: string
  query: { name: string; schema: Schema }[]
  body: Schema | undefined
  /** Content types of the body. */
  types: string[]
  /** The schema of the answer, when it is JSON. */
  answer: Schema | undefined
  statuses: string[]
  check: ValidateFunction | undefined
}

export interface Document {
  operations: Operation[]
  kinds: Set<string>
  resolve(schema: Schema): Schema
  /** The operation that a request of this method and path reaches. */
  match(method: string, path: string): Operation | undefined
  /** What is wrong with an answer; undefined when it is what the document says. */
  fault(answer: Answer, operation: Operation | undefined): string | undefined
}

/** leads → lead; a status is one already. */
export const singular = (word: string) => (word === 'status' ? word : word.replace(/s$/, ''))

export function readDocument(document: {
  paths: Record<string, Record<string, DescribedOperation>>
  components: { schemas: Record<string, Schema> }
}): Document {
  const compile = exactSchemas(document.components)
  const resolve = (schema: Schema): Schema => {
    if (schema.$ref === undefined) return schema
    const found = document.components.schemas[schema.$ref.split('/').at(-1) ?? '']
    if (!found) throw new Error(`The document lacks ${schema.$ref}`)
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
      const parts = decoded(path).split('/')
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

function decoded(path: string): string {
  const [plain = ''] = path.split(/[?#]/)
  try {
    return decodeURIComponent(plain)
  } catch {
    return plain
  }
}

const isLike = (pattern: string[], parts: string[]) =>
  pattern.length === parts.length &&
  pattern.every((part, index) => part === '{id}' || part === parts[index])

const isJson = ({ headers }: Answer) =>
  headers['content-type'] === 'application/json; charset=utf-8'

function successFault(answer: Answer, operation: Operation | undefined): string | undefined {
  if (!operation) return 'succeeded, and is not documented'
  const { check } = operation
  // An answer that is no JSON by the document is a file to download.
  if (!check) return isJson(answer) ? 'answered JSON instead of a file' : undefined
  if (!isJson(answer)) return `answered ${answer.headers['content-type']} instead of JSON`
  return check(answer.body) ? undefined : `is not what its schema says: ${describe(check)}`
}

/** The sentence of each code, as the interface has it. */
const sentences: Record<string, string> = {
  BAD_REQUEST: 'Invalid input data',
  UNAUTHORIZED: 'Authorization not provided',
  FORBIDDEN: 'Insufficient access',
  NOT_FOUND: 'Not found',
}
const codes: Record<number, string> = { 401: 'UNAUTHORIZED', 403: 'FORBIDDEN', 404: 'NOT_FOUND' }
/** Of HTTP itself: too slow, an address or headers that are too long. No operation documents them. */
const transport = ['408', '414', '431']
/** Of a request that reaches no operation, or is no readable HTTP. */
const unreadable = ['400', '404', '413', '415']

function refusalFault(
  answer: Answer,
  statuses = unreadable,
  isError: ValidateFunction,
): string | undefined {
  const { status } = answer
  if (status >= 500) return 'is a failure of the service'
  if (![...statuses, ...transport].includes(String(status)))
    return 'has a status that is not documented'
  if (!String(answer.headers['content-type']).startsWith('application/json')) {
    return `answered ${answer.headers['content-type']} instead of an error`
  }
  if (!isError(answer.body)) return `has another body than errors have: ${describe(isError)}`
  const body = answer.body as { code: string; message: string; issues: unknown[] }
  const code = codes[status] ?? 'BAD_REQUEST'
  if (body.code !== code || body.message !== sentences[code]) return `should be ${code}`
  const told = body.issues.length
  if (code === 'BAD_REQUEST' ? told < 1 || told > 100 : told !== 0) return `tells ${told} issues`
  return undefined
}

function describe({ errors }: ValidateFunction): string {
  return JSON.stringify(
    errors?.map(({ instancePath, message, params }) => [instancePath, message, params]),
  )
}
