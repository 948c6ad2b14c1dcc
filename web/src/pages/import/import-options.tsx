// What the import does besides reading columns: leads that are already there, a list and tags for all.
import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import { useRecords } from '../../api/records.ts'
import { Button } from '../../ui/button.tsx'
import { Check } from '../../ui/check.tsx'
import { Options } from '../../ui/options.tsx'
import { Popover } from '../../ui/popover.tsx'
import { Select } from '../../ui/select.tsx'
import { TagSign } from '../../ui/small.tsx'
import { imports } from '../../words/imports.ts'
import { labelOf } from './column-target.tsx'
import css from './import.module.css'
import { type Choices, decide, type Existing, existingOf, fieldsOf, useWizard } from './wizard.ts'

const ways: Existing[] = ['create', 'update', 'skip']
const keys = ['email', 'linkedin_url', 'phone', 'id']

interface Props {
  hasForeignId: boolean
}

export function ImportOptions({ hasForeignId }: Props) {
  const wizard = useWizard()
  const { choices } = wizard
  const existing = existingOf(wizard)
  const { attributes, lists, tags } = useRecords()
  const known = fieldsOf(wizard).filter(
    (field) => keys.includes(field) || attributes.some(({ slug }) => field === `attribute:${slug}`),
  )
  const by: [string, string][] = [
    ...(hasForeignId ? [['foreign_id', imports.byForeign] as [string, string]] : []),
    ...[...new Set(known)].map((field): [string, string] => [field, labelOf(field, attributes)]),
  ]
  const choose = (next: Existing) => {
    const isThere = by.some(([id]) => id === choices.by)
    decide({ existing: next, ...(!isThere && by[0] && { by: by[0][0] }) })
  }
  return (
    <div className={css.options}>
      <fieldset className={css.question}>
        <legend>{imports.existing}</legend>
        {ways.map((way) => (
          <label key={way}>
            <input
              type="radio"
              name="existing"
              checked={existing === way}
              disabled={way !== 'create' && by.length === 0}
              onChange={() => choose(way)}
            />
            {imports.existingWays[way]}
            {way !== 'create' && '…'}
          </label>
        ))}
        {existing !== 'create' && (
          <Select
            label={imports.by}
            value={choices.by}
            options={by}
            onValue={(key) => decide({ by: key })}
          />
        )}
      </fieldset>
      <fieldset className={css.question}>
        <legend>{imports.everyLead}</legend>
        <Names
          kind="lists"
          label={imports.addList}
          chosen={choices.lists}
          known={lists.map(({ name }) => name)}
        />
        <Names
          kind="tags"
          label={imports.addTag}
          chosen={choices.tags}
          known={tags.map(({ name }) => name)}
        />
        <Check
          isOn={choices.createCompanies}
          onChange={(createCompanies) => decide({ createCompanies })}
        >
          {imports.companies}
        </Check>
      </fieldset>
    </div>
  )
}

/** Names of lists or tags. One that is not there yet is made by the import. */
function Names({
  kind,
  label,
  chosen,
  known,
}: {
  kind: 'lists' | 'tags'
  label: string
  chosen: readonly string[]
  known: readonly string[]
}) {
  const [isOpen, setOpen] = useState(false)
  const set = (names: string[]) => decide({ [kind]: names } as Partial<Choices>)
  const toggle = (name: string) =>
    set(chosen.includes(name) ? chosen.filter((other) => other !== name) : [...chosen, name])
  const all = [...new Set([...chosen, ...known])]
  return (
    <div className={css.names}>
      {chosen.map((name) => (
        <TagSign
          key={name}
          onRemove={
            <button
              type="button"
              className={css.removeName}
              aria-label={imports.removeName(name)}
              onClick={() => toggle(name)}
            >
              <X size={12} />
            </button>
          }
        >
          {name}
        </TagSign>
      ))}
      <Popover
        label={label}
        wide
        open={isOpen}
        onOpenChange={setOpen}
        trigger={
          <Button>
            <Plus size={14} /> {label}
          </Button>
        }
      >
        <Options
          label={label}
          options={all.map((name) => ({ id: name, label: name }))}
          chosen={new Set(chosen)}
          onPick={toggle}
          onCreate={toggle}
        />
      </Popover>
    </div>
  )
}
