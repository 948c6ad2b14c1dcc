// Money: the currencies of ISO 4217, without funds, metals and those out of use. Intl has their names and decimals,
// but also 150 currencies of the past, and not the same ones in every version.

// biome-ignore format: a list of codes
export const currencies = [
  'AED', 'AFN', 'ALL', 'AMD', 'AOA', 'ARS', 'AUD', 'AWG', 'AZN', 'BAM', 'BBD', 'BDT', 'BHD', 'BIF', 'BMD',
  'BND', 'BOB', 'BRL', 'BSD', 'BTN', 'BWP', 'BYN', 'BZD', 'CAD', 'CDF', 'CHF', 'CLP', 'CNY', 'COP', 'CRC',
  'CUP', 'CVE', 'CZK', 'DJF', 'DKK', 'DOP', 'DZD', 'EGP', 'ERN', 'ETB', 'EUR', 'FJD', 'FKP', 'GBP', 'GEL',
  'GHS', 'GIP', 'GMD', 'GNF', 'GTQ', 'GYD', 'HKD', 'HNL', 'HTG', 'HUF', 'IDR', 'ILS', 'INR', 'IQD', 'IRR',
  'ISK', 'JMD', 'JOD', 'JPY', 'KES', 'KGS', 'KHR', 'KMF', 'KPW', 'KRW', 'KWD', 'KYD', 'KZT', 'LAK', 'LBP',
  'LKR', 'LRD', 'LSL', 'LYD', 'MAD', 'MDL', 'MGA', 'MKD', 'MMK', 'MNT', 'MOP', 'MRU', 'MUR', 'MVR', 'MWK',
  'MXN', 'MYR', 'MZN', 'NAD', 'NGN', 'NIO', 'NOK', 'NPR', 'NZD', 'OMR', 'PAB', 'PEN', 'PGK', 'PHP', 'PKR',
  'PLN', 'PYG', 'QAR', 'RON', 'RSD', 'RUB', 'RWF', 'SAR', 'SBD', 'SCR', 'SDG', 'SEK', 'SGD', 'SHP', 'SLE',
  'SOS', 'SRD', 'SSP', 'STN', 'SVC', 'SYP', 'SZL', 'THB', 'TJS', 'TMT', 'TND', 'TOP', 'TRY', 'TTD', 'TWD',
  'TZS', 'UAH', 'UGX', 'USD', 'UYU', 'UZS', 'VED', 'VES', 'VND', 'VUV', 'WST', 'XAF', 'XCD', 'XCG', 'XOF',
  'XPF', 'YER', 'ZAR', 'ZMW', 'ZWG',
] as const

export type Currency = (typeof currencies)[number]

/** No currency has more decimals. */
export const maxDecimals = 3

/**
 * Reads an amount of money, or a rate between currencies. A number of JavaScript is exact up to 15 digits; a whole
 * number up to ±(2^53−1). Returns undefined when it is none.
 */
export function readDecimal(text: string, decimals: number): number | undefined {
  const [, whole, fraction = ''] = /^[+-]?(\d+)(?:\.(\d+))?$/.exec(text.trim()) ?? []
  const number = Number(text)
  if (whole === undefined || fraction.length > decimals) return undefined
  const isExact = Number.isInteger(number)
    ? Number.isSafeInteger(number)
    : whole.replace(/^0+/, '').length + fraction.length <= 15
  return isExact ? number : undefined
}

/** As `contract_value` has it: the nearest whole number, as PostgreSQL rounds. */
export const roundAmount = (amount: number) => Math.sign(amount) * Math.round(Math.abs(amount))
