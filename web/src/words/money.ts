import { countLeads } from './counted.ts'

export const money = {
  currency: 'Currency',
  currencyIs: (code: string) => (code ? `Currency: ${code}` : 'Choose a currency'),
  decimals: (digits: number, currency: string) =>
    digits === 0 ? `${currency} has no decimals.` : `Enter up to ${digits} decimals and 15 digits.`,
  unknown: (code: string) => `${code} is not a currency.`,
  converted: (number: number) => `incl. ${countLeads(number)} converted`,
  leftOut: (number: number, currency: string) =>
    `${countLeads(number)} in ${currency} without a rate ${number === 1 ? 'is' : 'are'} not included`,
  together: 'Total',
  total: 'Total value',
} as const
