// The first admin of a new workspace brings its time zone and currency: those of the browser.

import { allows } from '@rapport/contract/roles'
import { useEffect } from 'react'
import { call } from '../api/call.ts'
import { client } from '../api/client.ts'
import { type Me, meQuery } from '../api/session.ts'
import { currencyOf } from './currency-of.ts'

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
