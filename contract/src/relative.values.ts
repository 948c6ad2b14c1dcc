// Periods of the calendar, and the operators of conditions that depend on when they are asked.

/** Days, weeks and so on of the calendar, counted from now: the unit, and how many units later. */
export const periods = {
  today: ['day', 0],
  yesterday: ['day', -1],
  tomorrow: ['day', 1],
  this_week: ['week', 0],
  last_week: ['week', -1],
  next_week: ['week', 1],
  this_month: ['month', 0],
  last_month: ['month', -1],
  next_month: ['month', 1],
  this_quarter: ['quarter', 0],
  last_quarter: ['quarter', -1],
  next_quarter: ['quarter', 1],
  this_year: ['year', 0],
  last_year: ['year', -1],
  next_year: ['year', 1],
} as const satisfies Record<string, readonly [PeriodUnit, number]>

export type PeriodUnit = 'day' | 'week' | 'month' | 'quarter' | 'year'
export type Period = keyof typeof periods
export const periodNames = Object.keys(periods) as Period[]

/** Of times and dates. */
export const relativeOperators = ['in_last', 'more_than_ago', 'in_next', ...periodNames] as const
export type RelativeOperator = (typeof relativeOperators)[number]
