/** An error that its message explains: it is printed without a stack. */
export class BenchError extends Error {}
