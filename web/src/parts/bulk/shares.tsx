import type { Records } from '../../api/records.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { words } from '../../words/index.ts'
import css from './bulk.module.css'
import type { Preview } from './operations.ts'

/** Who gets how many leads. */
export function Shares({
  shares,
  members,
}: {
  shares: NonNullable<Preview['shares']>
  members: Records['members']
}) {
  return (
    <ul className={css.sample} aria-label={words.bulk.shares}>
      {shares.map(({ id, leads, owns }) => {
        const { name = '', picture } = members.find((member) => member.id === id) ?? {}
        return (
          <li key={id} className={css.sampleRow}>
            <Avatar name={name} picture={picture} />
            <span className="fill cut">{name}</span>
            <b>{words.leads.count(leads)}</b>
            <span className={css.text}>{words.bulk.owns(owns)}</span>
          </li>
        )
      })}
    </ul>
  )
}
