import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { type Lead, nameOf } from '../../api/lead.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Muted, Stage } from '../../ui/small.tsx'
import { words } from '../../words/index.ts'
import css from './activity.module.css'
import { companyQuery, peopleQuery } from './queries.ts'

/** The company of the lead, and the others of it. */
export function People({ lead }: { lead: Lead }) {
  const company = lead.company ?? ''
  const { data: people = [], isPending } = useQuery({
    ...peopleQuery(company),
    enabled: company !== '',
  })
  const { data: itself } = useQuery({
    ...companyQuery(company),
    enabled: company !== '' && !lead.is_company,
  })
  if (!company) return <p className={css.none}>{words.lead.noCompany}</p>
  const others = people.filter(({ id }) => id !== lead.id)
  const shown = itself ? [itself, ...others] : others
  if (shown.length === 0)
    return <p className={css.none}>{isPending ? words.grid.loading : words.lead.noPeople}</p>
  return (
    <ul className={css.people} aria-label={words.lead.companyPeople(company)}>
      {shown.map((person) => (
        <li key={person.id}>
          <Link href={`/lead/${person.id}`} className={css.person}>
            <Avatar name={nameOf(person) || '?'} isCompany={person.is_company} />
            <span className={css.personName}>{nameOf(person) || words.leads.unnamed}</span>
            <Muted className={css.personRole ?? ''}>
              {person.is_company ? words.leads.company : person.company_role}
            </Muted>
            {person.status?.[0] && (
              <Stage name={person.status[0].name} color={person.status[0].color} />
            )}
          </Link>
        </li>
      ))}
    </ul>
  )
}
