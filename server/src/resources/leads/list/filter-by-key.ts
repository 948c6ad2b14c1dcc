// What a lead has in common with others that may be the same.
import { keyKinds } from '@rapport/contract/duplicates.values'
import { sql } from '../../../db/sql.ts'
import { type Kind, nothing } from '../../../filter/compile.ts'
import { numberOf } from '../duplicates/keys.ts'

export const duplicateKey: Kind<string> = (text, { context: { space }, path, fault }) => {
  const gap = text.indexOf(':')
  const kind = keyKinds.find((name) => name === text.slice(0, gap))
  if (!kind) {
    fault({
      path,
      code: 'enum',
      message: `Must begin with one of ${keyKinds.join(', ')}, and a colon`,
    })
    return nothing
  }
  // A loose email may equal the exact one of another lead.
  const kinds = [kind, ...(kind === 'email_loose' ? (['email'] as const) : [])].map(numberOf)
  return sql`lead.id in (
    select id_lead from lead_key
    where id_space = ${space} and kind = any(${kinds}::smallint[]) and key = ${text.slice(gap + 1)})`
}
