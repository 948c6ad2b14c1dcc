/** The import cannot be done as asked; the message is for people. */
export class ImportError extends Error {}

/** What is wrong with a row: every reason. */
export class RowFault extends Error {
  readonly reasons: string[]

  constructor(...reasons: string[]) {
    super(reasons.join('; '))
    this.reasons = reasons
  }
}
