// The company of a person: a link to its lead, when there is one.
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { companyQuery } from './queries.ts'

export function CompanyLink({ company }: { company: string }) {
  const { data } = useQuery(companyQuery(company))
  if (!data) return <>{company}</>
  return (
    <Link href={`/lead/${data.id}`} className="link">
      {company}
    </Link>
  )
}
