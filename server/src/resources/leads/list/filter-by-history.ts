// What has become of a lead: the stages that it was in, and what was written about it.
import type { LeadFilter } from '@rapport/contract/leads/filter'
import { raw, type Sql, sql } from '../../../db/sql.ts'
import { allOf, type Kind, nothing, type Place } from '../../../filter/compile.ts'
import { isRelated, oneOf } from '../../../filter/kinds.ts'
import { startOfDay } from '../../../filter/times.ts'

type Filter<Name extends keyof LeadFilter> = NonNullable<LeadFilter[Name]>

interface Within {
  after?: string
  before?: string
}

/** The time is on the one day or later, and before the other. */
export function within(time: Sql, { after, before }: Within, place: Place): Sql[] {
  const side = (name: keyof Within, text: string | undefined, sign: string) => {
    if (text === undefined) return []
    const start = startOfDay(text, { ...place, path: [...place.path, name] })
    return [start ? sql`${time} ${raw(sign)} ${start}` : nothing]
  }
  return [...side('after', after, '>='), ...side('before', before, '<')]
}

const ofLead = (table: string) => ({ id: raw('lead.id'), table, owner: 'id_lead' })

function stay(table: string, time: string): Kind<Filter<'entered'>> {
  return ({ status = [], ...days }, place) => {
    const wanted = oneOf(raw('id_status'), status)
    const condition = allOf([...(wanted ? [wanted] : []), ...within(raw(time), days, place)])
    return condition && isRelated(ofLead(table), place.context, condition)
  }
}

export const entered = stay('lead_status', 'entered_at')
export const left = stay('lead_stage', 'left_at')

/** When a call or meeting took place, or a note was written. */
export const notedAt = sql`coalesce(note.happened_at, note.created_at)`

export const noted: Kind<Filter<'noted'>> = ({ kind = [], by = [], ...days }, place) => {
  const author = oneOf(raw('note.id_author'), by)
  const condition = allOf([
    ...(kind.length > 0 ? [sql`note.kind = any(${kind}::text[])`] : []),
    ...(author ? [author] : []),
    ...within(notedAt, days, place),
  ])
  return (
    condition &&
    isRelated(ofLead('note'), place.context, allOf([sql`not note.is_deleted`, condition]))
  )
}
