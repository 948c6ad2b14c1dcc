// One campaign: when it sends, its steps, and how many leads came how far. Each number leads to its leads.
import type { LeadFilter } from '@rapport/contract/leads/filter'
import { stepStatuses } from '@rapport/contract/leads/filter.values'
import { useQuery } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { leadsHref } from '../../addresses/leads.ts'
import { Fault } from '../../api/fault.ts'
import { MenuButton } from '../../frame/menu-button.tsx'
import frame from '../../frame/page-frame.module.css'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { Empty } from '../../ui/empty.tsx'
import { formatDay, formatNumber } from '../../ui/format.ts'
import { reasonOf } from '../../ui/reason.ts'
import { Skeletons } from '../../ui/small.tsx'
import { Table } from '../../ui/table.tsx'
import { words } from '../../words/index.ts'
import css from './campaigns.module.css'
import {
  type CampaignWithSteps,
  campaignQuery,
  mainStates,
  type Step,
  windowOf,
} from './queries.ts'
import { StateSign } from './state-sign.tsx'

const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 })

export function CampaignPage({ id }: { id: string }) {
  const { data: campaign, error, refetch } = useQuery(campaignQuery(id))
  const isGone = error instanceof Fault && error.status === 404
  return (
    <div className={classes(frame.frame, css.page)}>
      <header className={classes(frame.bar, css.header)}>
        <MenuButton />
        <Link href="/campaigns" className={css.back}>
          <ArrowLeft size={15} aria-hidden="true" /> {words.campaigns.back}
        </Link>
      </header>
      <div className={css.body} aria-busy={!campaign && !error}>
        {isGone || (error && !campaign) ? (
          <Empty
            title={isGone ? words.campaigns.notFound : words.campaigns.failed}
            {...(!isGone && { text: reasonOf(error) })}
          >
            {!isGone && <Button onClick={() => void refetch()}>{words.actions.retry}</Button>}
          </Empty>
        ) : campaign ? (
          <About campaign={campaign} />
        ) : (
          <div className={css.about}>
            <Skeletons widths={['180px', '70px', '420px', '500px']} />
          </div>
        )}
      </div>
    </div>
  )
}

function About({ campaign }: { campaign: CampaignWithSteps }) {
  const { campaigns: c } = words
  const { id, name, icon, status, steps, leads } = campaign
  const ids = steps.map((step) => step.id)
  return (
    <>
      <div className={css.about}>
        <h1 dir="auto">
          {icon && `${icon} `}
          {name}
        </h1>
        <StateSign status={status} />
        <Facts campaign={campaign} />
        <div className={css.figures}>
          <Figure label={c.leads} value={leads} filter={{ campaigns: [id] }} />
          {mainStates.map((state) => (
            <Figure
              key={state}
              label={words.filter.steps[state]}
              value={campaign[state]}
              filter={{ sequences_steps: { id: ids, status: [state] } }}
              {...(state !== 'is_sent' && { of: campaign.is_sent })}
            />
          ))}
        </div>
      </div>
      <h2 className={css.heading}>{c.steps}</h2>
      {steps.length === 0 ? (
        <p className={css.none}>{c.noSteps}</p>
      ) : (
        <div className={css.wide}>
          <Table>
            <thead>
              <tr>
                <th scope="col">{c.step}</th>
                {stepStatuses.map((state) => (
                  <th scope="col" key={state} className={css.number}>
                    {words.filter.steps[state]}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {steps.map((step, at) => (
                <StepRow key={step.id} step={step} number={at + 1} />
              ))}
            </tbody>
          </Table>
        </div>
      )}
    </>
  )
}

function Facts({ campaign }: { campaign: CampaignWithSteps }) {
  const { campaigns: c } = words
  const { timezone, start_date, end_date, time_between_send } = campaign
  const rules = [
    campaign.stop_sending_after_reply && c.stopReply,
    campaign.stop_sending_after_bounce && c.stopBounce,
    campaign.unsubscribe_link && c.unsubscribe,
    campaign.track_open_rate && c.track,
  ].filter(Boolean)
  const facts: [string, ReactNode][] = [
    [c.window, windowOf(campaign)],
    [c.zone, timezone],
    [c.from, start_date && formatDay(start_date)],
    [c.to, end_date && formatDay(end_date)],
    [c.pause, time_between_send > 0 && c.minutes(time_between_send)],
    [c.rules, rules.join(' · ')],
  ]
  return (
    <dl className={css.facts}>
      {facts.map(
        ([label, value]) =>
          value && (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  )
}

interface FigureProps {
  label: string
  value: number
  filter: LeadFilter
  /** The whole that it is a part of. */
  of?: number
}

function Figure({ label, value, filter, of }: FigureProps) {
  return (
    <Link href={leadsHref(filter)} className={css.figure}>
      <span className={css.value}>{formatNumber(value)}</span>
      <span>{label}</span>
      {of ? <span className={css.share}>{percent.format(value / of)}</span> : null}
    </Link>
  )
}

function StepRow({ step, number }: { step: Step; number: number }) {
  const { id, name, subject, body, delay_days } = step
  const { campaigns: c } = words
  return (
    <tr>
      <th scope="row" className={css.step}>
        <div dir="auto">
          {number}. {name}{' '}
          <span className={css.soft}>· {delay_days > 0 ? c.after(delay_days) : c.atOnce}</span>
        </div>
        {subject && (
          <div className={css.subject} dir="auto">
            {subject}
          </div>
        )}
        {body && (
          <details className={css.text}>
            <summary>{c.body}</summary>
            <p dir="auto">{body}</p>
          </details>
        )}
      </th>
      {stepStatuses.map((state) => (
        <td key={state} className={css.number}>
          {step[state] > 0 ? (
            <Link
              href={leadsHref({ sequences_steps: { id: [id], status: [state] } })}
              className={css.link}
              aria-label={c.show(step[state], words.filter.steps[state], name)}
            >
              {formatNumber(step[state])}
            </Link>
          ) : (
            <span className={css.soft}>0</span>
          )}
        </td>
      ))}
    </tr>
  )
}
