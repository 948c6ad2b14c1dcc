import { count } from './counted.ts'

export const live = {
  meanwhile: (who: string, value: string) =>
    value ? `${who} has since changed this to “${value}”.` : `${who} has since cleared this.`,
  due: (name: string) => `Reminder: ${name}`,
  manyDue: (number: number) => `${count(number, 'reminder is', 'reminders are')} due`,
  snooze: 'Snooze 1 h',
} as const
