// The stages of a lead, list by list, and how they are picked.
import type { Lead } from '../api/lead.ts'
import type { Records } from '../api/records.ts'
import type { Option } from '../ui/options.tsx'
import { Muted, Stage } from '../ui/small.tsx'
import { words } from '../words/index.ts'
import { relations } from './relations.tsx'
import css from './value.module.css'

interface Props {
  value: Lead['status']
  lead: Lead
  records: Records
}

/** Each stage with its list. A list that has stages, but none for this lead, says so. */
export function Stages({ value, lead, records }: Props) {
  const without = lead.lists.filter(
    ({ id }) =>
      records.status.some(({ id_list }) => id_list === id) &&
      !value.some(({ id_list }) => id_list === id),
  )
  const listOf = (id: string) => records.lists.find((list) => list.id === id)?.name
  return (
    <span className={css.stages}>
      {value.map(({ id, name, color, id_list }) => (
        <span key={id} className={css.stage}>
          <Stage name={name} color={color} />
          <Muted className="cut">{listOf(id_list) ?? words.pipeline.none}</Muted>
        </span>
      ))}
      {without.map(({ id, name }) => (
        <span key={id} className={css.stage}>
          <Muted>{words.pipeline.noStage}</Muted>
          <Muted className="cut">{name}</Muted>
        </span>
      ))}
    </span>
  )
}

/** For a cell: of several stages, each says its list. `name` is all that is shown. */
export function withLists(value: Lead['status'], records: Records) {
  return value.map(({ id, name, color, id_list }) => {
    const list = records.lists.find((one) => one.id === id_list)?.name ?? words.pipeline.none
    const both = `${name} ${list}`
    const shown = value.length > 1 ? { list, name: both } : { list: undefined, name }
    const title = value.length > 1 ? `${name} · ${list}` : name
    return { id, color, stage: name, title, ...shown }
  })
}

/** Those of the lead's lists come first. Those of other lists say that they add the lead to theirs. */
export function stageOptions({ lead, records }: { lead?: Lead; records: Records }): Option[] {
  const own = new Set(lead?.lists.map(({ id }) => id))
  const listOf = new Map(records.status.map(({ id, id_list }) => [id, id_list]))
  const rank = ({ id }: Option) => {
    const list = listOf.get(id) ?? ''
    return own.has(list) ? 0 : list === '' ? 1 : 2
  }
  return relations.status
    .options(records)
    .toSorted((a, b) => rank(a) - rank(b))
    .map((option) =>
      rank(option) < 2 ? option : { ...option, hint: words.pipeline.joins(option.group ?? '') },
    )
}

const setUp = 'set-up '

/** Stages to set up: in the lists of the lead that have none or, if there are none at all, in a new one. */
export function setUpOptions({ lead, records }: Omit<Props, 'value'>): Option[] {
  const hint = words.pipeline.setUpHint
  const bare = lead.lists.filter(({ id }) => !records.status.some(({ id_list }) => id_list === id))
  if (bare.length > 0) {
    return bare.map(({ id, name }) => ({
      ...{ id: setUp + id, label: words.pipeline.setUpIn(name), hint },
    }))
  }
  return records.status.length > 0 ? [] : [{ id: setUp, label: words.pipeline.setUp, hint }]
}

/** The list of such an option, "" for a new one. Undefined for other options. */
export const listToSetUp = (option: string) =>
  option.startsWith(setUp) ? option.slice(setUp.length) : undefined
