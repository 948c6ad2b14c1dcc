// The editors of conditions that are filters themselves: alternatives, and what to leave out. Each filter is
// edited like the whole one, so groups can be within groups.
import type { LeadFilter } from '@rapport/contract/leads/filter'
import { Plus, X } from 'lucide-react'
import { type ReactNode, useContext, useState } from 'react'
import { isEmpty, withException, without, withValue } from '../../kinds/conditions.ts'
import { Button } from '../../ui/button.tsx'
import { words } from '../../words/index.ts'
import css from './filter.module.css'
import { Matches, WholeFilter } from './matches.tsx'

interface Props {
  filter: LeadFilter
  onChange: (filter: LeadFilter) => void
  onDone: () => void
  /** The chips of a filter within this one. */
  chips: (filter: LeadFilter, onChange: (filter: LeadFilter) => void) => ReactNode
}

export function AlternativesEditor({ filter, onChange, onDone, chips }: Props) {
  const whole = useContext(WholeFilter)
  // An alternative without conditions would match every lead, so it is not part of the filter yet.
  const [drafts, setDrafts] = useState<LeadFilter[]>(filter.any ?? [{}, {}])
  const withDrafts = (next: LeadFilter[]) =>
    withValue(
      filter,
      'any',
      next.filter((draft) => !isEmpty(draft)),
    )
  const set = (next: LeadFilter[]) => {
    setDrafts(next)
    onChange(withDrafts(next))
  }
  return (
    <div className={css.group} data-roomy>
      <p className={css.title}>{words.filter.anyOf}</p>
      {drafts.map((draft, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: alternatives have no other name
        <div key={at} role="group" aria-label={words.filter.alternative(at + 1)}>
          {at > 0 && <p className={css.hint}>{words.filter.or}</p>}
          <div className={css.alternative}>
            <WholeFilter value={(part) => whole(withDrafts(drafts.with(at, part)))}>
              {chips(draft, (next) => set(drafts.with(at, next)))}
            </WholeFilter>
            {drafts.length > 1 && (
              <button
                type="button"
                className={css.remove}
                aria-label={words.filter.removeAlternative(at + 1)}
                onClick={() => set(drafts.toSpliced(at, 1))}
              >
                <X size={14} />
              </button>
            )}
          </div>
        </div>
      ))}
      <div>
        <Button onClick={() => setDrafts([...drafts, {}])}>
          <Plus size={15} /> {words.filter.addAlternative}
        </Button>
      </div>
      <Footer filter={filter} isEmpty={drafts.every(isEmpty)} onDone={onDone} />
    </div>
  )
}

export function ExceptionEditor({
  index,
  filter,
  onChange,
  onDone,
  chips,
}: Props & { index: number }) {
  const whole = useContext(WholeFilter)
  const [others] = useState(() => without(filter, `none ${index}`))
  const [draft, setDraft] = useState<LeadFilter>(filter.none?.[index] ?? {})
  const set = (next: LeadFilter) => {
    setDraft(next)
    onChange(withException(others, index, next))
  }
  return (
    <div className={css.group} data-roomy>
      <p className={css.title}>{words.filter.except}</p>
      <WholeFilter value={(part) => whole(withException(others, index, part))}>
        {chips(draft, set)}
      </WholeFilter>
      <Footer filter={filter} isEmpty={isEmpty(draft)} onDone={onDone} />
    </div>
  )
}

interface FooterProps {
  filter: LeadFilter
  /** Nothing is asked yet. */
  isEmpty: boolean
  onDone: () => void
}

/** How many leads match, and the button that closes an editor in which several things are chosen. */
export const Footer = ({ filter, isEmpty, onDone }: FooterProps) => (
  <div className={css.done}>
    {isEmpty ? words.filter.noCondition : <Matches filter={filter} />}
    <Button onClick={onDone}>{words.filter.apply}</Button>
  </div>
)
