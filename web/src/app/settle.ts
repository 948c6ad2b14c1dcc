// The first admin of a new workspace brings its time zone and currency: those of the browser.

import { type Currency, currencies } from '@rapport/contract/money.values'
import { allows } from '@rapport/contract/roles'
import { useEffect } from 'react'
import { call } from '../api/call.ts'
import { client } from '../api/client.ts'
import { type Me, meQuery } from '../api/session.ts'

const euro = 'AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK'.split(' ')

/** Other regions get the currency that most of the world's contracts are in. */
export function currencyOf(language: string): Currency {
  const { region = '' } = new Intl.Locale(language).maximize()
  if (euro.includes(region)) return 'EUR'
  // The codes of currencies begin with the region: CH, CHF. US is the same.
  return currencies.find((code) => code.startsWith(region)) ?? 'USD'
}

export function useSettle(me: Me | undefined): void {
  const isWanted = me?.workspace.is_new && me.way === 'web' && allows(me.key.role, 'admin')
  useEffect(() => {
    if (!isWanted) return
    const { timeZone: time_zone } = Intl.DateTimeFormat().resolvedOptions()
    const body = { time_zone, currency: currencyOf(navigator.language) }
    // It is tried again the next time. Until then everything works.
    call('PATCH /workspace', { body })
      .then(() => client.invalidateQueries({ queryKey: meQuery.queryKey }))
      .catch(() => {})
  }, [isWanted])
}
