// Which value each field of the merged lead gets: the one that somebody chose, else that of the lead that stays, else
// the first that there is.
import type { Lead } from '../../api/lead.ts'
import type { Field } from '../../kinds/field.ts'
import { isEmpty } from '../../kinds/kinds.tsx'

export interface Choices {
  /** The lead that stays. */
  survivor: string
  /** By field: the lead whose value somebody chose. */
  from: Readonly<Record<string, string>>
}

export interface Row {
  field: Field
  /** The leads have different values, so that one has to go. */
  differs: boolean
}

/** A flag that is not set counts as no value. */
export const hasValue = ({ read }: Field, lead: Lead) => {
  const value = read(lead)
  return value !== false && !isEmpty(value)
}

/** What is kept of all leads: relations, further emails and phones. */
export const isCombined = ({ group, kind }: Field) => group === 'relations' || kind === 'contacts'

/** A name is first and last name, which are chosen by themselves, and come first. */
const names = ['first_name', 'last_name']

/** The fields in which any of the leads has a value. */
export function rowsOf(leads: readonly Lead[], fields: readonly Field[]): Row[] {
  const isName = ({ id }: Field) => names.includes(id)
  return [...fields.filter(isName), ...fields.filter((field) => !isName(field))]
    .filter((field) => (field.isEditable && field.kind !== 'name') || isCombined(field))
    .filter((field) => leads.some((lead) => hasValue(field, lead)))
    .map((field) => {
      const values = new Set(
        leads
          .filter((lead) => hasValue(field, lead))
          .map((lead) => JSON.stringify(field.read(lead))),
      )
      return { field, differs: !isCombined(field) && values.size > 1 }
    })
}

/** The lead whose value the field gets. */
export function sourceOf({ survivor, from }: Choices, field: Field, leads: readonly Lead[]) {
  const chosen = leads.find(({ id }) => id === from[field.id])
  if (chosen) return chosen.id
  const [first] = [...leads.filter(({ id }) => id === survivor), ...leads].filter((lead) =>
    hasValue(field, lead),
  )
  return first?.id
}

/** What the service calls the parts of a field. */
function partsOf({ id, kind, attribute, change }: Field): string[] {
  if (attribute) return [attribute.id]
  if (kind === 'amount') return Object.keys(change({}))
  return [id]
}

/** The choices as the service takes them. */
export function fieldsOf(choices: Choices, rows: readonly Row[], leads: readonly Lead[]) {
  const differing = rows.filter(({ differs }) => differs)
  return Object.fromEntries(
    differing.flatMap(({ field }) => {
      const from = sourceOf(choices, field, leads)
      return from === undefined ? [] : partsOf(field).map((part) => [part, { from }] as const)
    }),
  )
}

/** The lead beside the one that stays. */
export function beside(choices: Choices, leads: readonly Lead[], by: number): Choices {
  const at = leads.findIndex(({ id }) => id === choices.survivor) + by
  const next = leads[Math.max(0, Math.min(leads.length - 1, at))]
  return next ? { ...choices, survivor: next.id } : choices
}

/** At first the lead with the most values stays; of equal ones, the oldest. */
export function firstChoices(leads: readonly Lead[], rows: readonly Row[]): Choices {
  const filled = (lead: Lead) => rows.filter(({ field }) => hasValue(field, lead)).length
  const [first] = leads.toSorted(
    (a, b) => filled(b) - filled(a) || a.created_at.localeCompare(b.created_at),
  )
  return { survivor: first?.id ?? '', from: {} }
}
