/** The import cannot be done as asked; the message is for people. */
export class ImportError extends Error {}

/** What is wrong with a row. */
export class RowFault extends Error {}
