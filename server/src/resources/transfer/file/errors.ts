import { maxIssues } from '@rapport/contract/errors'

/** The import cannot be done as asked; the message is for people. */
export class ImportError extends Error {
  /** For programs. */
  readonly code: 'import' | 'import_running'

  constructor(message: string, code: ImportError['code'] = 'import') {
    super(message)
    this.code = code
  }
}

/** As many as an answer has. */
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
