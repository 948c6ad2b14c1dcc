import { currencies } from '@rapport/contract/money.values'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { client } from '../../api/client.ts'
import { meQuery, useMe } from '../../api/session.ts'
import { useAttempt } from '../../ui/attempt.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { currencyChoices } from '../../ui/currencies.ts'
import { Field } from '../../ui/form.tsx'
import { Select } from '../../ui/select.tsx'
import { tell } from '../../ui/toast.tsx'
import { settings } from '../../words/settings.ts'
import { FactorRule } from './factor-rule.tsx'
import type { Part } from './part-state.tsx'
import { SaveForm } from './save-form.tsx'
import css from './settings.module.css'
import { zoneChoices } from './zone-choices.ts'

function WorkspacePart() {
  const { workspace } = useMe()
  const [name, setName] = useState(workspace.name)
  const [zone, setZone] = useState(workspace.time_zone)
  const [currency, setCurrency] = useState(workspace.currency)
  const { fault, setFault, attempt } = useAttempt()
  const isSame =
    name === workspace.name && zone === workspace.time_zone && currency === workspace.currency
  const [isAsking, setAsking] = useState(false)
  /** Whether sums would lose the rates. Otherwise the service converts them. */
  const losesRates = async () => {
    if (currency === workspace.currency) return false
    const rates = await call('GET /rates')
    const own = rates.filter(({ base }) => base === workspace.currency)
    return (
      own.length > 0 &&
      !own.some((rate) => rate.currency === currency) &&
      !rates.some(({ base }) => base === currency)
    )
  }
  const ask = () => attempt(async () => ((await losesRates()) ? setAsking(true) : save()))
  const save = async () => {
    const chosen = currencies.find((code) => code === currency)
    const body = { name: name.trim(), time_zone: zone, ...(chosen && { currency: chosen }) }
    await call('PATCH /workspace', { body })
    setFault('')
    await client.invalidateQueries({ queryKey: meQuery.queryKey })
    tell(settings.saved)
  }
  return (
    <>
      <SaveForm name={name} isSame={isSame} onSave={ask}>
        <Field
          label={settings.name}
          value={name}
          onValue={setName}
          fault={fault || undefined}
          isRequired
        />
        <Select
          label={settings.timeZone}
          value={zone}
          options={zoneChoices(workspace.time_zone)}
          onValue={setZone}
        />
        <p className={css.hint}>{settings.timeZoneHint}</p>
        <Select
          label={settings.currency}
          value={currency}
          options={[
            ...(workspace.currency ? [] : [['', settings.noCurrency] as const]),
            ...currencyChoices(),
          ]}
          onValue={setCurrency}
        />
        <p className={css.hint}>{settings.currencyHint}</p>
      </SaveForm>
      {isAsking && (
        <Confirm
          title={settings.changeCurrency(currency)}
          action={settings.changeCurrencyAction}
          onConfirm={save}
          onClose={() => setAsking(false)}
        >
          {settings.losesRates(workspace.currency, currency)}
        </Confirm>
      )}
      <FactorRule />
    </>
  )
}

export default { needs: 'admin', Content: WorkspacePart } satisfies Part
