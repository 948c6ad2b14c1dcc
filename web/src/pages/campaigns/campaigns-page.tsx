// Campaigns, read only: the list of them, and one of them.
import { useInfiniteQuery } from '@tanstack/react-query'
import { Mail } from 'lucide-react'
import { Link, useParams } from 'wouter'
import { MenuButton } from '../../frame/menu-button.tsx'
import frame from '../../frame/page-frame.module.css'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { Empty } from '../../ui/empty.tsx'
import { formatNumber } from '../../ui/format.ts'
import { reasonOf } from '../../ui/reason.ts'
import { Skeleton } from '../../ui/small.tsx'
import { ShowMore, Table } from '../../ui/table.tsx'
import { words } from '../../words/index.ts'
import { CampaignPage } from './campaign-page.tsx'
import css from './campaigns.module.css'
import { type Campaign, campaignsQuery, mainStates, windowOf } from './queries.ts'
import { StateSign } from './state-sign.tsx'

export default function CampaignsPage() {
  const { id } = useParams<{ id?: string }>()
  return id ? <CampaignPage key={id} id={id} /> : <CampaignList />
}

function CampaignList() {
  const list = useInfiniteQuery(campaignsQuery)
  const { data, error, isPending, refetch } = list
  const campaigns = data?.pages.flatMap((page) => page.data) ?? []
  const { campaigns: c } = words
  return (
    <div className={classes(frame.frame, css.page)}>
      <header className={classes(frame.bar, css.header)}>
        <MenuButton />
        <h1>{c.title}</h1>
        <span className={css.total}>
          {data && formatNumber(data.pages[0]?.pagination.count ?? 0)}
        </span>
      </header>
      <div className={css.body} aria-busy={isPending}>
        {error && !data ? (
          <Empty title={c.failed} text={reasonOf(error)}>
            <Button onClick={() => void refetch()}>{words.actions.retry}</Button>
          </Empty>
        ) : data && campaigns.length === 0 ? (
          <Empty icon={<Mail />} title={c.none} text={c.noneHelp}>
            <code className={css.command}>{c.command}</code>
          </Empty>
        ) : (
          <Table>
            <thead>
              <tr>
                <th scope="col">{c.name}</th>
                <th scope="col">{c.state}</th>
                <th scope="col" className={css.window}>
                  {c.window}
                </th>
                <th scope="col" className={css.number}>
                  {c.leads}
                </th>
                {mainStates.map((state) => (
                  <th scope="col" key={state} className={css.number}>
                    {words.filter.steps[state]}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {isPending && <LoadingRows />}
              {campaigns.map((campaign) => (
                <CampaignRow key={campaign.id} campaign={campaign} />
              ))}
            </tbody>
          </Table>
        )}
        <ShowMore list={list} label={c.more} />
      </div>
    </div>
  )
}

function CampaignRow({ campaign }: { campaign: Campaign }) {
  const { id, name, icon, status, leads = 0 } = campaign
  return (
    <tr>
      <th scope="row">
        <Link href={`/campaigns/${id}`} className={css.name} dir="auto">
          {icon && `${icon} `}
          {name}
        </Link>
      </th>
      <td>
        <StateSign status={status} />
      </td>
      <td className={css.window}>{windowOf(campaign)}</td>
      <td className={css.number}>{formatNumber(leads)}</td>
      {mainStates.map((state) => (
        <td key={state} className={css.number}>
          {formatNumber(campaign[state] ?? 0)}
        </td>
      ))}
    </tr>
  )
}

function LoadingRows() {
  return [150, 190, 120, 170].map((width) => (
    <tr key={width}>
      <th scope="row">
        <Skeleton width={width} />
      </th>
      <td colSpan={6} />
    </tr>
  ))
}
