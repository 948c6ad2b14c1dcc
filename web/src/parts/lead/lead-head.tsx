// Who the lead is, and what matters about it now: its stages, its value, its owners and its next reminder.
import { useQuery } from '@tanstack/react-query'
import { Link as LinkIcon, Merge, Trash2 } from 'lucide-react'
import { type Lead, nameOf } from '../../api/lead.ts'
import type { Records } from '../../api/records.ts'
import type { Field } from '../../kinds/field.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { classes } from '../../ui/classes.ts'
import { copyText } from '../../ui/copy-text.ts'
import { formatAgo, formatExact } from '../../ui/format.ts'
import { RowMenu } from '../../ui/menu.tsx'
import { tell } from '../../ui/toast.tsx'
import { words } from '../../words/index.ts'
import { CompanyFacts } from './company-facts.tsx'
import { CompanyLink } from './company-link.tsx'
import { Fact } from './fact.tsx'
import css from './lead.module.css'
import { openReminders, remindersQuery } from './queries.ts'
import { Steps } from './steps.tsx'

interface Props {
  lead: Lead
  records: Records
  mayWrite: boolean
  fields: readonly Field[]
  isPage: boolean
  onAsk: (what: 'delete' | 'merge') => void
}

export function Head({ lead, records, mayWrite, fields, isPage, onAsk }: Props) {
  const name = nameOf(lead)
  const find = (id: string) => fields.find((field) => field.id === id) as Field
  const copyLink = async () => {
    await copyText(`${window.location.origin}/lead/${lead.id}`)
    tell(words.views.linkCopied)
  }
  return (
    <div className={css.head}>
      <Avatar name={name || '?'} isCompany={lead.is_company} size="l" />
      <div className={css.headText}>
        <Fact
          field={find('name')}
          lead={lead}
          records={records}
          mayWrite={mayWrite}
          heading={isPage ? 'h1' : 'h2'}
        />
        {!lead.is_company && (
          <div className={css.sub}>
            {lead.company_role}
            {lead.company_role && lead.company && ` ${words.lead.at} `}
            {lead.company && <CompanyLink company={lead.company} />}
          </div>
        )}
      </div>
      <RowMenu
        label={words.lead.options}
        groups={[
          [
            {
              id: 'link',
              label: words.lead.copyLink,
              icon: <LinkIcon />,
              onPick: () => void copyLink(),
            },
            mayWrite && {
              id: 'merge',
              label: words.lead.mergeWith,
              icon: <Merge />,
              onPick: () => onAsk('merge'),
            },
          ],
          mayWrite
            ? [
                {
                  id: 'delete',
                  label: words.lead.delete,
                  icon: <Trash2 />,
                  isDangerous: true,
                  onPick: () => onAsk('delete'),
                },
              ]
            : [],
        ]}
      />
    </div>
  )
}

/** What everyone looks for first. */
export const summaryFields = ['status', 'contract_value', 'owners']

export function Summary({
  lead,
  records,
  mayWrite,
  fields,
  mergedFrom,
  onReminders,
}: Omit<Props, 'isPage' | 'onAsk'> & {
  /** How many other leads it was. */
  mergedFrom: number | undefined
  onReminders: (isNew: boolean) => void
}) {
  const { data: reminders = [] } = useQuery(remindersQuery(lead.id))
  const [next] = openReminders(reminders)
  const shown = fields.filter(({ id }) => summaryFields.includes(id))
  return (
    <dl className={classes(css.facts, css.summary)}>
      {lead.is_company && lead.company && <CompanyFacts company={lead.company} records={records} />}
      <Steps lead={lead} records={records} mayWrite={mayWrite} />
      {summaryFields
        .flatMap((id) => shown.filter((field) => field.id === id))
        .map((field) => (
          <Fact key={field.id} field={field} lead={lead} records={records} mayWrite={mayWrite} />
        ))}
      {mergedFrom && (
        <div className={css.fact}>
          <dt>{words.lead.mergedFrom}</dt>
          <dd>{words.lead.otherLeads(mergedFrom)}</dd>
        </div>
      )}
      {(next || mayWrite) && (
        <div className={css.fact}>
          <dt>{words.lead.nextReminder}</dt>
          <dd>
            <button type="button" className={css.reminder} onClick={() => onReminders(!next)}>
              {next ? (
                <>
                  {next.name}{' '}
                  <time
                    dateTime={next.date}
                    title={formatExact(next.date)}
                    className={classes(Date.parse(next.date) < Date.now() ? 'bad' : 'soft')}
                  >
                    {formatAgo(next.date)}
                  </time>
                </>
              ) : (
                <span className="soft">{words.lead.add}</span>
              )}
            </button>
          </dd>
        </div>
      )}
    </dl>
  )
}
