// Creating a lead: the few fields known at first. The rest is filled in on the lead page.
import { fold } from '@rapport/contract/fold'
import { useQuery } from '@tanstack/react-query'
import { Fragment, type ReactNode, useDeferredValue, useState } from 'react'
import { Link } from 'wouter'
import { call } from '../../api/call.ts'
import { client } from '../../api/client.ts'
import { Fault } from '../../api/fault.ts'
import { listLeads, nameOf } from '../../api/lead.ts'
import { useRecords } from '../../api/records.ts'
import { Button } from '../../ui/button.tsx'
import { warningOf } from '../../ui/checks.ts'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { useDiscard } from '../../ui/discard.tsx'
import { Field } from '../../ui/form.tsx'
import { reasonOf } from '../../ui/reason.ts'
import { Select } from '../../ui/select.tsx'
import { Refusal } from '../../ui/small.tsx'
import { submitting } from '../../ui/submitting.ts'
import { words } from '../../words/index.ts'
import css from './new-lead.module.css'

const emptyForm = {
  first_name: '',
  last_name: '',
  company: '',
  company_role: '',
  email: '',
  phone: '',
}
type Name = keyof typeof emptyForm

/** The fields that are checked while somebody types. */
const inputs: Partial<Record<Name, string>> = { email: 'email', phone: 'tel' }

export default function NewLead({
  list: shown = '',
  onClose,
  onCreated,
}: {
  /** The list that is shown: new leads are its leads. */
  list?: string | undefined
  onClose: () => void
  onCreated: (id: string) => void
}) {
  const { lists } = useRecords()
  const [isCompany, setCompany] = useState(false)
  const [form, setForm] = useState(emptyForm)
  const [list, setList] = useState(shown)
  const [faults, setFaults] = useState<Record<string, string>>({})
  const [isSaving, setSaving] = useState(false)
  const known = useKnown(form.email)
  const companies = useCompanies(isCompany ? '' : form.company)
  const discard = useDiscard(onClose)
  const names: Name[] = isCompany
    ? ['company', 'email', 'phone']
    : ['first_name', 'last_name', 'email', 'phone', 'company', 'company_role']
  const filled = Object.fromEntries(
    names.map((name) => [name, form[name].trim()]).filter(([, value]) => value),
  )
  const isEmpty = Object.keys(filled).length === 0
  const save = async () => {
    if (isEmpty || isSaving) return
    setSaving(true)
    setFaults({})
    try {
      const body = { ...filled, is_company: isCompany, ...(list && { id_list: list }) }
      const lead = await call('POST /lead', { body })
      await client.invalidateQueries({ queryKey: ['leads'] })
      onCreated(String(lead.id))
    } catch (error) {
      const issues = error instanceof Fault ? error.issues : []
      const found = Object.fromEntries(
        issues.map(({ path, message }) => [String(path[0] ?? ''), message]),
      )
      setFaults(issues.length > 0 ? found : { '': reasonOf(error) })
      setSaving(false)
    }
  }
  const labels: Record<Name, string> = {
    first_name: words.fields.firstName,
    last_name: words.fields.lastName,
    company: words.newLead.companyName,
    company_role: words.newLead.role,
    email: words.newLead.email,
    phone: words.newLead.phone,
  }
  const hint = known && (
    <>
      {words.newLead.exists(nameOf(known))}{' '}
      <Link href={`/lead/${known.id}`} className={css.link} onClick={onClose}>
        {words.newLead.show}
      </Link>
    </>
  )
  const existing = companies.length > 0 && (
    <>
      {words.newLead.existing}
      {companies.map((company) => (
        <Fragment key={company}>
          {' '}
          <button
            type="button"
            className={css.link}
            onClick={({ currentTarget }) => {
              // The button goes, and would take the focus with it.
              const field = currentTarget.parentElement?.previousElementSibling
              if (field instanceof HTMLElement) field.focus()
              setForm({ ...form, company })
            }}
          >
            {company}
          </button>
        </Fragment>
      ))}
    </>
  )
  const hints: Partial<Record<Name, ReactNode>> = { email: hint, company: existing }
  return (
    <Dialog title={words.newLead.title} onClose={discard.leave}>
      <form
        onInput={discard.onInput}
        onSubmit={submitting(save)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void save()
        }}
      >
        <div className={css.kinds} role="radiogroup" aria-label={words.newLead.kind}>
          {[false, true].map((value) => (
            <label key={String(value)} className={css.kind}>
              <input
                type="radio"
                name="kind"
                checked={isCompany === value}
                onChange={() => setCompany(value)}
              />
              {value ? words.newLead.company : words.newLead.person}
            </label>
          ))}
        </div>
        <div className={css.form}>
          {names.map((name, at) => (
            <Field
              key={name}
              label={labels[name]}
              value={form[name]}
              onValue={(value) => setForm({ ...form, [name]: value })}
              fault={faults[name]}
              hint={hints[name] || warningOf(inputs[name] ?? '', form[name])?.text}
              isFirst={at === 0}
            />
          ))}
          <Select
            label={words.newLead.list}
            value={list}
            options={[
              ['', words.newLead.noList],
              ...lists.map(({ id, name, emoji }) => [id, `${emoji} ${name}`.trim()] as const),
            ]}
            onValue={setList}
          />
        </div>
        <Refusal text={faults['']} />
        <DialogActions>
          <Button onClick={onClose}>{words.actions.cancel}</Button>
          <Button type="submit" look="go" disabled={isEmpty || isSaving}>
            {words.newLead.create}
          </Button>
        </DialogActions>
      </form>
      {discard.question}
    </Dialog>
  )
}

/** Companies with this in their names, unless one has just this name: the new lead joins that one. */
function useCompanies(text: string): string[] {
  const wanted = useDeferredValue(fold(text.trim()))
  const { data = [] } = useQuery({
    queryKey: ['leads', 'companies', wanted],
    queryFn: async ({ signal }) => {
      const body = { filter: { search: wanted, is_company: true }, pagination: { page_size: 20 } }
      return (await listLeads(body, signal)).leads.map(nameOf)
    },
    enabled: wanted.length > 2,
  })
  if (wanted.length < 3 || data.some((name) => fold(name) === wanted)) return []
  return data.filter((name) => fold(name).includes(wanted)).slice(0, 3)
}

/** The lead that has this email already, if there is one. */
function useKnown(email: string) {
  const wanted = useDeferredValue(email.trim())
  const { data } = useQuery({
    queryKey: ['leads', 'by-email', wanted],
    queryFn: async ({ signal }) => {
      try {
        return await call('POST /leads/search', { signal, body: { email: wanted } })
      } catch (error) {
        if (error instanceof Fault && error.status === 404) return null
        throw error
      }
    },
    enabled: /\S@\S+\.\S/.test(wanted),
  })
  return data ?? undefined
}
