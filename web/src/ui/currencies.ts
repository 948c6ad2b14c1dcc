// Names and decimals of currencies.
import { currencies } from '@rapport/contract/money.values'

const names = new Intl.DisplayNames('en', { type: 'currency' })

/** "EUR · Euro" */
export const currencyLabel = (code: string) => `${code} · ${names.of(code)}`

/** For a choice of a form. */
export const currencyChoices = () => currencies.map((code) => [code, currencyLabel(code)] as const)

export const digitsOf = (code: string) =>
  new Intl.NumberFormat('en', { style: 'currency', currency: code }).resolvedOptions()
    .maximumFractionDigits ?? 0

/** "$" of Canadian dollars too. */
export const signOf = (code: string) =>
  new Intl.NumberFormat('en', {
    style: 'currency',
    currency: code,
    currencyDisplay: 'narrowSymbol',
  })
    .formatToParts(1)
    .find(({ type }) => type === 'currency')?.value
