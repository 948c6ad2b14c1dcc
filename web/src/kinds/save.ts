// From what a person typed or chose to a change of the lead.
import type { Lead } from '../api/lead.ts'
import { changeLead } from './change-lead.ts'
import type { Field } from './field.ts'

/** Flags have no editor: they change immediately. */
export function toggleFlag(field: Field, lead: Lead): void {
  void saveField(field, lead, !field.read(lead))
}

/** Saves a value, shown immediately. Returns whether the service took it. */
export function saveField(field: Field, lead: Lead, value: unknown): Promise<boolean> {
  const body = field.change(value)
  const shown = field.group === 'relations' ? { [field.id]: value } : body
  return changeLead(lead, shown as Partial<Lead>, body, field.label)
}
