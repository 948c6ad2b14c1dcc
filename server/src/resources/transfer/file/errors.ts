/** The import cannot be done as asked; the message is for people. */
export class ImportError extends Error {
  /** For programs. */
  readonly code: 'import' | 'import_running'

  constructor(message: string, code: ImportError['code'] = 'import') {
    super(message)
    this.code = code
  }
}

/** What is wrong with a row: every reason. */
export class RowFault extends Error {
  readonly reasons: string[]

  constructor(...reasons: string[]) {
    super(reasons.join('; '))
    this.reasons = reasons
  }
}
