// Everything about a lead: who it is, its fields, and what happened. All of it can be changed in place, unless the
// lead is deleted.
import type { DeletedLead } from '@rapport/contract/leads/shapes'
import { useQuery } from '@tanstack/react-query'
import { ChevronDown, ChevronUp, Trash2 } from 'lucide-react'
import { lazy, Suspense, useMemo, useState } from 'react'
import { deletedLeadQuery } from '../../api/deleted-leads.ts'
import { Fault } from '../../api/fault.ts'
import { type Lead, nameOf } from '../../api/lead.ts'
import { leadQuery } from '../../api/leads.ts'
import { type Records, useRecords } from '../../api/records.ts'
import { useMayWrite } from '../../api/session.ts'
import type { Field } from '../../kinds/field.ts'
import { allFields } from '../../kinds/fields.ts'
import { isEmpty } from '../../kinds/kinds.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { formatAgo } from '../../ui/format.ts'
import { useNarrow } from '../../ui/media.ts'
import { reasonOf } from '../../ui/reason.ts'
import { Skeleton } from '../../ui/small.tsx'
import { words } from '../../words/index.ts'
import { Activity, type Place } from './activity.tsx'
import { Fact } from './fact.tsx'
import css from './lead.module.css'
import { Head, Summary, summaryFields } from './lead-head.tsx'
import { restoreLead } from './restore-lead.ts'

const Contacts = lazy(() => import('./contacts.tsx'))
const DeleteLead = lazy(() => import('./delete-lead.tsx'))
const MergeLead = lazy(() => import('./merge-lead.tsx'))

const firstFields = [
  ...['email', 'other_emails', 'phone', 'other_phones'],
  ...['tags', 'lists', 'city', 'website_url', 'linkedin_url'],
]
/** What the head shows already. */
const headFields = ['name', 'first_name', 'last_name', ...summaryFields]
/** Every lead has them and few people ask, or the head shows them too. */
const rareFields = [
  ...['company', 'company_role', 'created_at', 'updated_at', 'usersId', 'is_company'],
  'is_contract',
]
/** Of use to programs only, or shown with another one. */
const technical = [
  ...['id', 'id_space', 'is_deleted', 'is_deleted_at', 'order', 'search_query'],
  'contract_currency',
]

export function LeadBody({
  id,
  isPage = false,
  onGone,
}: {
  id: string
  isPage?: boolean
  onGone: () => void
}) {
  const { data: live, error, refetch } = useQuery(leadQuery(id))
  const isGone = error instanceof Fault && error.status === 404
  const { data: deleted, isPending: isLooking } = useQuery({
    ...deletedLeadQuery(id),
    enabled: isGone,
  })
  const lead = isGone ? deleted : live
  const records = useRecords()
  const mayChange = useMayWrite()
  const mayWrite = mayChange && !isGone
  const isNarrow = useNarrow()
  const [isWhole, setWhole] = useState(false)
  const [asked, setAsked] = useState<'delete' | 'merge'>()
  const [place, setPlace] = useState<Place & { lead: string }>()
  const show = (next: Place) => setPlace({ lead: id, ...next })
  const fields = useMemo(() => allFields(records.attributes), [records.attributes])
  if (error && !lead && !(isGone && isLooking)) {
    return (
      <Empty
        title={isGone ? words.leads.notFound : words.lead.loadFailed}
        text={isGone ? words.leads.notFoundHelp : reasonOf(error)}
      >
        {!isGone && <Button onClick={() => void refetch()}>{words.actions.retry}</Button>}
      </Empty>
    )
  }
  if (!lead) return <Loading isPage={isPage} />
  const { first, rest } = factsOf(fields, lead, isPage && !isNarrow)
  const shared = { lead, records, mayWrite }
  return (
    <div className={isPage ? css.wide : undefined}>
      {deleted && isGone && <Deleted lead={deleted} records={records} mayRestore={mayChange} />}
      <section aria-label={nameOf(lead) || words.leads.unnamed}>
        <Head {...shared} isPage={isPage} fields={fields} onAsk={setAsked} />
        <Summary
          {...shared}
          fields={fields}
          mergedFrom={live?.merged_from?.length}
          onReminders={(isNew) => show({ tab: 'reminders', ...(isNew && { edited: 'new' }) })}
        />
        <dl className={css.facts}>
          {[...first, ...(isWhole ? rest : [])].map((field) =>
            field.kind === 'contacts' ? (
              <div key={`${id} ${field.id}`} className={css.fact}>
                <dt>{field.label}</dt>
                <dd>
                  <Suspense fallback={null}>
                    <Contacts field={field} {...shared} />
                  </Suspense>
                </dd>
              </div>
            ) : (
              <Fact key={field.id} field={field} {...shared} />
            ),
          )}
        </dl>
        <Button
          look="quiet"
          className={css.moreFields ?? ''}
          aria-expanded={isWhole}
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? <ChevronUp size={14} /> : <ChevronDown size={14} />}
          {isWhole ? words.lead.fewerFields : words.lead.moreFields}
        </Button>
      </section>
      <Activity
        key={lead.id}
        {...shared}
        place={place?.lead === id ? place : undefined}
        isPage={isPage}
        onPlace={show}
      />
      <Suspense fallback={null}>
        {asked === 'delete' && (
          <DeleteLead lead={lead} onClose={() => setAsked(undefined)} onDeleted={onGone} />
        )}
        {asked === 'merge' && <MergeLead lead={lead} onClose={() => setAsked(undefined)} />}
      </Suspense>
    </div>
  )
}

/** Says that the lead is in the trash, and restores it. */
function Deleted({
  lead: { id, is_deleted_at, deleted_by },
  records,
  mayRestore,
}: {
  lead: DeletedLead
  records: Records
  mayRestore: boolean
}) {
  const who = records.members.find((member) => member.id === deleted_by)?.name
  return (
    <div className={css.deleted} role="status">
      <Trash2 size={15} aria-hidden="true" />
      <span>{words.trash.deletedAgo(formatAgo(is_deleted_at ?? ''), who)}</span>
      {mayRestore && (
        <Button look="go" onClick={() => void restoreLead(id)}>
          {words.actions.restore}
        </Button>
      )}
    </div>
  )
}

/**
 * What everyone looks for and what is filled in. The rest is folded away; where there is little room also
 * filled fields, because what happened should be near.
 */
function factsOf(fields: readonly Field[], lead: Lead, hasRoom: boolean) {
  const known = fields.filter(({ id }) => !headFields.includes(id) && !technical.includes(id))
  const byId = (id: string) => known.filter((field) => field.id === id)
  const isFilled = (field: Field) => {
    const value = field.read(lead)
    return !isEmpty(value) && value !== false
  }
  const others = known.filter(
    ({ id, group }) =>
      ![...firstFields, ...rareFields].includes(id) && (hasRoom || group === 'attributes'),
  )
  // A further email or phone is rare.
  const isFirst = (field: Field) => field.kind !== 'contacts' || isFilled(field)
  const first = [...firstFields.flatMap(byId).filter(isFirst), ...others.filter(isFilled)]
  return { first, rest: known.filter((field) => !first.includes(field)) }
}

function Loading({ isPage }: { isPage: boolean }) {
  return (
    <div className={isPage ? css.wide : undefined} aria-busy="true">
      <div>
        <div className={css.head}>
          <span className={css.round} />
          <div className={css.headText}>
            <Skeleton width={170} />
            <div className={css.space8} />
            <Skeleton width={120} />
          </div>
        </div>
        <div className={css.facts}>
          {firstFields.slice(0, 7).map((id) => (
            <div key={id} className={css.loadingFact}>
              <Skeleton width={60} />
              <Skeleton width={140} />
            </div>
          ))}
        </div>
      </div>
    </div>
  )
}
