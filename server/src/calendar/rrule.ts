// A cron of five fields as a rule of a calendar, where one can say it.

const weekdays = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']
const weekdayNames = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const monthNames = [
  ...['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
]
/** More times a day than this are not worth a calendar. */
const maxTimes = 24

/** "FREQ=WEEKLY;BYDAY=MO". Undefined: it takes more than one rule, or signs that only some programs know. */
export function ruleOf(cron: string): string | undefined {
  const parts = cron.trim().toLowerCase().split(/\s+/)
  if (parts.length !== 5) return undefined
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = parts
  const minutes = numbersOf(minute, 0, 59)
  const hours = numbersOf(hour, 0, 23)
  const days = numbersOf(day, 1, 31)
  const months = numbersOf(named(month, monthNames, 1), 1, 12)
  const week = numbersOf(named(weekday, weekdayNames, 0), 0, 7)
  if (!minutes || !hours || !days || !months || !week) return undefined
  if (minutes.length * hours.length > maxTimes) return undefined
  const anyDay = days.length === 31
  const dayNames = [...new Set(week.map((each) => each % 7))]
  const anyWeekday = dayNames.length === 7
  // One of the two is enough for cron; a rule needs both.
  if (!anyDay && !anyWeekday) return undefined
  const isMonthly = months.length === 12
  const rule = [
    `FREQ=${!anyWeekday ? 'WEEKLY' : anyDay ? 'DAILY' : isMonthly ? 'MONTHLY' : 'YEARLY'}`,
    !isMonthly && `BYMONTH=${months}`,
    !anyDay && `BYMONTHDAY=${days}`,
    !anyWeekday && `BYDAY=${dayNames.toSorted().map((each) => weekdays[each])}`,
    minutes.length * hours.length > 1 && `BYHOUR=${hours};BYMINUTE=${minutes}`,
  ]
  return rule.filter(Boolean).join(';')
}

function named(text: string, names: string[], first: number): string {
  return text.replace(/[a-z]{3}/g, (name) => {
    const at = names.indexOf(name)
    return at < 0 ? name : String(at + first)
  })
}

/** "1,3-5", a star, or either with a step: the numbers in order. */
function numbersOf(text: string, least: number, most: number): number[] | undefined {
  const found = new Set<number>()
  for (const part of text.split(',')) {
    const [, all, from, to, step] = /^(?:(\*)|(\d+)(?:-(\d+))?)(?:\/(\d+))?$/.exec(part) ?? []
    if (all === undefined && from === undefined) return undefined
    const begin = all ? least : Number(from)
    const end = all || (step && !to) ? most : Number(to ?? from)
    if (begin < least || end > most || begin > end || step === '0') return undefined
    for (let each = begin; each <= end; each += Number(step ?? 1)) found.add(each)
  }
  return [...found].sort((a, b) => a - b)
}
