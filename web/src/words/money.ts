import { are, countLeads, list } from './counted.ts'

export const money = {
  currency: 'Currency',
  currencyIs: (code: string) => (code ? `Currency: ${code}` : 'Choose a currency'),
  decimals: (digits: number, currency: string) =>
    digits === 0 ? `${currency} has no decimals.` : `Enter up to ${digits} decimals and 15 digits.`,
  notAmount: (example: string) => `Enter an amount such as ${example}.`,
  unknown: (code: string) => `${code} is not a currency.`,
  converted: (number: number) => `incl. ${countLeads(number)} converted`,
  leftOut: (number: number, currencies: string[]) =>
    `${countLeads(number)} in ${list.format(currencies)} without a rate ${are(number)} not included`,
  noRate: (currencies: string[]) => `No exchange rate for ${list.format(currencies)}`,
  partial: '* Without values in currencies that have no exchange rate',
  more: (currencies: number) => `${currencies} more`,
  together: 'Total',
  total: 'Total value',
  totalIs: (amount: string) => `Total value: ${amount}`,
} as const
