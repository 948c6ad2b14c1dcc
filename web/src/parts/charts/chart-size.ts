// How high a chart is. Known before the chart is, so that nothing jumps when it comes.
const rowHeight = 30
const upHeight = 200
const leastHeight = 94

export type Direction = 'right' | 'up'

export const heightOf = (rows: number, direction: Direction) =>
  direction === 'up' ? upHeight : Math.max(1, rows) * rowHeight + 4

/** The height of its place on the page. */
export const roomFor = (rows: number, direction: Direction) =>
  Math.max(leastHeight, heightOf(rows, direction))
