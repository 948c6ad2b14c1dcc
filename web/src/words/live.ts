import { count } from './counted.ts'

export const live = {
  meanwhile: (who: string, value: string) =>
    value
      ? `${who} changed this to “${value}” in the meantime.`
      : `${who} cleared this in the meantime.`,
  due: (name: string) => `Reminder: ${name}`,
  manyDue: (number: number) => `${count(number, 'reminder is', 'reminders are')} due`,
  snooze: 'Snooze 1 h',
} as const
