import { maxIssues } from '@rapport/contract/errors'
import type { QueryOf } from '@rapport/contract/route'
import type { transfer } from '@rapport/contract/transfer'

/** An option of an import, as a caller writes it. A query has once=again where a command has --again. */
export type NameOption = (
  option: keyof QueryOf<typeof transfer.routes.import>,
  value?: string,
) => string

const inQuery: NameOption = (option, value) => (value === undefined ? option : `${option}=${value}`)

/** The import cannot be done as asked; the message is for people. */
export class ImportError extends Error {
  /** For programs. */
  readonly code: 'import' | 'import_running'
  /** The message with the options as the caller writes them. */
  readonly tell: (name: NameOption) => string

  constructor(
    message: string | ((name: NameOption) => string),
    code: ImportError['code'] = 'import',
  ) {
    const tell = typeof message === 'string' ? () => message : message
    super(tell(inQuery))
    this.code = code
    this.tell = tell
  }
}

/** As many as a response has. */
const maxReasons = maxIssues

/** What is wrong with a row: every reason, or the first of very many. */
export class RowFault extends Error {
  readonly reasons: string[]

  constructor(...reasons: string[]) {
    const told = reasons.slice(0, maxReasons)
    const more = reasons.length - told.length
    if (more > 0) told.push(`and ${more} more`)
    super(told.join('; '))
    this.reasons = told
  }
}
