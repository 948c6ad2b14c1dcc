// From what a person typed or chose to a change of the lead.
import { client } from '../api/client.ts'
import type { Lead } from '../api/lead.ts'
import { meQuery } from '../api/session.ts'
import { changeLead } from './change-lead.ts'
import type { Field } from './field.ts'

/** Saves a value, shown immediately. Returns whether the service took it. */
export function saveField(field: Field, lead: Lead, value: unknown): Promise<boolean> {
  const body = { ...field.change(value), ...currencyFor(field, lead, value) }
  const shown = field.group === 'relations' ? { [field.id]: value } : body
  return changeLead(lead, shown as Partial<Lead>, body, field.label)
}

/** A first contract value is in the currency of the workspace. */
function currencyFor({ id }: Field, lead: Lead, value: unknown) {
  if (id !== 'contract_value' || value === null || lead.contract_currency) return {}
  const currency = client.getQueryData(meQuery.queryKey)?.workspace.currency
  return currency ? { contract_currency: currency } : {}
}
