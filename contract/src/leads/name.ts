/** What people call a lead. */
export function leadName({ first_name, last_name, company, email, is_company }: Named): string {
  const person = [first_name, last_name].filter(Boolean).join(' ')
  return (is_company ? company || person : person || company) || email || ''
}

/** The fields that the name is made of. */
export const nameFields = ['first_name', 'last_name', 'company', 'email', 'is_company'] as const

type Named = { is_company: boolean } & Record<
  Exclude<(typeof nameFields)[number], 'is_company'>,
  string | null
>
