// How large files of leads may be. Every reader checks it while it reads.

/** Columns of a file, and cells of a row that are looked at. */
export const maxColumns = 1_000

/** A row that is larger is a quote that was never closed. */
export const maxRowBytes = 16 * 1024 * 1024
