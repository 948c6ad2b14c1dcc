// The currency of a region, for a new workspace.
import { type Currency, currencies } from '@rapport/contract/money.values'

const euro = 'AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK'.split(' ')

/** `language` as the browser has it. Other regions get the currency that most of the world's contracts are in. */
export function currencyOf(language: string): Currency {
  const region = regionOf(language)
  if (euro.includes(region)) return 'EUR'
  // The codes of currencies begin with the region: CH, CHF. US is the same.
  return currencies.find((code) => code.slice(0, 2) === region) ?? 'USD'
}

function regionOf(language: string): string {
  try {
    return new Intl.Locale(language).maximize().region ?? ''
  } catch {
    // A browser that runs in the locale "C" has none.
    return ''
  }
}
