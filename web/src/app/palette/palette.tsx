// Ctrl K: finds commands, leads, lists and views.
import { fold } from '@rapport/contract/fold'
import { useQuery } from '@tanstack/react-query'
import { ChevronRight, List, Settings, TableProperties, Tag } from 'lucide-react'
import { type ReactNode, useDeferredValue, useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import { nameOf } from '../../api/lead.ts'
import { searchQuery } from '../../api/leads.ts'
import { useRecords } from '../../api/records.ts'
import { useMe } from '../../api/session.ts'
import { useViews, viewHref } from '../../api/views.ts'
import { useAllCommands } from '../../frame/commands.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { type Option, Options } from '../../ui/options.tsx'
import { Muted } from '../../ui/small.tsx'
import { words } from '../../words/index.ts'

interface Entry extends Option {
  run: () => void
}

/** What leads to a page and has a name. */
interface Places<P> {
  kind: string
  isWanted: (place: P) => boolean
  say: (name: string) => string
  icon: ReactNode
  group: string
  href: (place: P) => string
}

const maxEach = 6

export default function Palette({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('')
  const wanted = text.trim()
  const searched = useDeferredValue(wanted)
  const commands = useAllCommands()
  const records = useRecords()
  const { views } = useViews()
  const [, navigate] = useLocation()
  const { role } = useMe().key
  const { data: settingsParts = [] } = useQuery({
    queryKey: ['parts of the settings', role],
    queryFn: async () => (await import('../../pages/settings/part-names.ts')).namesFor(role),
    enabled: searched.length > 1,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const { data: leads = [], isFetching } = useQuery({
    ...searchQuery(searched, maxEach),
    enabled: searched.length > 1,
    placeholderData: (old) => (searched.length > 1 ? old : undefined),
  })

  const entries = useMemo(() => {
    const parts = fold(wanted).split(/\s+/).filter(Boolean)
    const matches = (label: string) => parts.every((part) => fold(label).includes(part))
    const begins = (label: string) => {
      const known = fold(label).split(/[^\p{L}\p{N}]+/u)
      return parts.every((part) => known.some((word) => word.startsWith(part)))
    }
    const { palette } = words
    const filterLink = (filter: object) =>
      `/leads?${new URLSearchParams({ filter: JSON.stringify(filter) })}`
    const places = <P extends { id: string; name: string }>(all: readonly P[], how: Places<P>) =>
      all
        .filter(how.isWanted)
        .slice(0, maxEach)
        .map((place) => ({
          id: `${how.kind} ${place.id}`,
          label: place.name,
          content: (
            <>
              {how.icon}
              {how.say(place.name)}
            </>
          ),
          group: how.group,
          run: () => navigate(how.href(place)),
        }))
    const found: Entry[] = commands
      .filter(
        ({ isHidden, title, also = '', group }) => !isHidden && begins(`${title} ${also} ${group}`),
      )
      .slice(0, wanted ? maxEach : undefined)
      .map(({ id, title, keys, run }) => ({
        id: `command ${id}`,
        label: title,
        content: (
          <>
            <ChevronRight aria-hidden="true" />
            {title}
          </>
        ),
        hint: keys && <Kbd keys={keys} />,
        group: palette.commands,
        run,
      }))
    if (!wanted) return found
    found.push(
      ...places(settingsParts, {
        kind: 'part',
        isWanted: ({ name, also }) => begins(`${words.nav.settings} ${name} ${also}`),
        say: palette.part,
        icon: <Settings aria-hidden="true" />,
        group: words.nav.settings,
        href: ({ id }) => `/settings/${id}`,
      }),
      ...places(records.lists, {
        kind: 'list',
        isWanted: ({ name }) => matches(name),
        say: palette.inList,
        icon: <List aria-hidden="true" />,
        group: words.nav.lists,
        href: ({ id }) => filterLink({ lists: [id] }),
      }),
      ...places(views, {
        kind: 'view',
        isWanted: ({ name }) => matches(name),
        say: (name) => name,
        icon: <TableProperties aria-hidden="true" />,
        group: palette.views,
        href: viewHref,
      }),
      ...leads.map((lead) => ({
        id: `lead ${lead.id}`,
        label: nameOf(lead),
        content: (
          <>
            <Avatar name={nameOf(lead) || '?'} isCompany={lead.is_company} />
            {nameOf(lead)} {!lead.is_company && <Muted>{lead.company}</Muted>}
          </>
        ),
        group: palette.leads,
        run: () => navigate(`/lead/${lead.id}`),
      })),
      ...places(records.tags, {
        kind: 'tag',
        isWanted: ({ name }) => matches(`tag ${name}`),
        say: palette.tagged,
        icon: <Tag aria-hidden="true" />,
        group: palette.show,
        href: ({ id }) => filterLink({ tags: [id] }),
      }),
      {
        id: 'search',
        label: wanted,
        content: (
          <>
            <TableProperties aria-hidden="true" />
            {palette.allMatching(wanted)}
          </>
        ),
        group: palette.show,
        run: () => navigate(filterLink({ search: wanted })),
      },
    )
    return found
  }, [commands, wanted, leads, settingsParts, views, records, navigate])

  return (
    <Dialog title={words.commands.palette} isTitleHidden size="palette" onClose={onClose}>
      <Options
        label={words.commands.placeholder}
        options={entries}
        onSearch={setText}
        isBusy={isFetching}
        isLarge
        onPick={(id) => {
          const entry = entries.find((candidate) => candidate.id === id)
          onClose()
          // After the dialog has given the focus back, so that what opens can take it.
          setTimeout(() => entry?.run())
        }}
      />
    </Dialog>
  )
}
