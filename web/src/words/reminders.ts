const everyMonths = (months?: string) => (months ? `every ${months} months` : 'every month')

export const reminders = {
  add: 'New reminder',
  name: 'What about?',
  when: 'When',
  repeat: 'Repeats',
  for: 'For',
  you: 'You',
  none: 'No reminders.',
  done: (name: string) => `Done: ${name}`,
  due: (when: string) => `due ${when}`,
  what: 'The reminder',
  delete: 'Delete reminder',
  edit: 'Edit reminder',
  options: 'Reminder actions',
  presets: {
    hour: 'In an hour',
    tomorrow: (time: string) => `Tomorrow ${time}`,
    week: 'In a week',
  },
  repeats: {
    never: 'Never',
    daily: 'Every day',
    workdays: 'Every weekday (Monday to Friday)',
    weekly: 'Every week',
    monthly: 'Every month',
    cron: 'Custom (advanced)',
  },
  onDays: 'On these days',
  onDay: 'On day',
  lastDay: 'the last',
  atTime: 'At',
  cron: 'Cron expression',
  cronHelp: (zone: string) =>
    `Minute, hour, day of the month, month, weekday, in the time zone ${zone}: 0 9 * * 1-5`,
  inZone: (time: string, zone: string) => `${time} (${zone})`,
  everyDay: (time: string) => `every day at ${time}`,
  everyWorkday: (time: string) => `every weekday at ${time}`,
  everyLastDay: (time: string, months?: string) =>
    `on the last day of ${everyMonths(months)} at ${time}`,
  everyWeek: (day: string, time: string) => `every ${day} at ${time}`,
  everyMonth: (day: string, time: string, months?: string) =>
    `${everyMonths(months)} on day ${day} at ${time}`,
  byCron: (cron: string) => `repeats: ${cron}`,
} as const
