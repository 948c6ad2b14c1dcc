// Going through the inbox by the keyboard: which reminder is marked, and what the keys do with it.
import { type RefObject, useEffect, useRef, useState } from 'react'
import type { Reminder } from '../../api/reminders.ts'
import { useMe } from '../../api/session.ts'
import { type Command, useCommands } from '../../frame/commands.ts'
import { describeCron } from '../../parts/reminder/recurrence.ts'
import { words } from '../../words/index.ts'
import { markDone } from './row.tsx'

type List = RefObject<HTMLDivElement | null>

const find = (list: List, id: string | undefined, part: string) =>
  list.current?.querySelector<HTMLElement>(`[data-reminder="${id}"] ${part}`)

export interface Mark {
  current: string | undefined
  set: (id: string) => void
  step: (by: number) => void
  /** The marked one goes away: the next one is marked, and gets the focus. */
  leave: (reminder: Reminder) => void
  focus: () => void
}

export function useMark(list: List, all: readonly Reminder[]): Mark {
  const [chosen, set] = useState<string>()
  const current = all.some(({ id }) => id === chosen) ? chosen : all[0]?.id
  /** The focus goes to the marked one when it is there. At first only if nothing else has it. */
  const wantsFocus = useRef(true)
  const focus = () => find(list, current, 'input')?.focus()
  useEffect(() => {
    if (!wantsFocus.current || !current) return
    wantsFocus.current = false
    const { activeElement } = document
    if (!activeElement || activeElement === document.body) focus()
  })
  return {
    current,
    set,
    focus,
    step(by) {
      const at = all.findIndex(({ id }) => id === current)
      const next = all[Math.max(0, Math.min(all.length - 1, at + by))]
      if (!next) return
      set(next.id)
      const row = find(list, next.id, 'input')
      row?.focus()
      row?.closest('li')?.scrollIntoView({ block: 'nearest' })
    },
    leave({ id }) {
      const at = all.findIndex((reminder) => reminder.id === id)
      set((all[at + 1] ?? all[at - 1])?.id)
      wantsFocus.current = true
    },
  }
}

interface Keys {
  all: readonly Reminder[]
  mark: Mark
  list: List
  mayWrite: boolean
  onNew: () => void
  onEdit: (reminder: Reminder) => void
}

export function useKeys({ all, mark, list, mayWrite, onNew, onEdit }: Keys): void {
  const { workspace } = useMe()
  const { inbox } = words
  const marked = all.find(({ id }) => id === mark.current)
  const group = inbox.group
  const moving: Command[] = [
    { id: 'next-reminder', title: inbox.next, group, keys: 'J', run: () => mark.step(1) },
    { id: 'previous-reminder', title: inbox.previous, group, keys: 'K', run: () => mark.step(-1) },
    { id: 'reminder-down', title: inbox.next, group, keys: 'ArrowDown', run: () => mark.step(1) },
    { id: 'reminder-up', title: inbox.previous, group, keys: 'ArrowUp', run: () => mark.step(-1) },
  ]
  const writing: Command[] = [
    {
      id: 'reminder-done',
      title: inbox.markDone,
      group,
      keys: 'D',
      run() {
        if (!marked) return
        const repeats = marked.cron && describeCron(marked.cron, workspace.time_zone)
        markDone(marked, repeats, () => mark.leave(marked))
      },
    },
    {
      id: 'reminder-snooze',
      title: inbox.snooze,
      group,
      keys: 'S',
      run: () => find(list, mark.current, '[data-snooze]')?.click(),
    },
    {
      id: 'reminder-edit',
      title: inbox.edit,
      group,
      keys: 'E',
      run: () => marked && onEdit(marked),
    },
    { id: 'reminder-new', title: words.reminders.add, group, keys: 'C', run: onNew },
  ]
  useCommands([
    ...moving.map((command) => ({ ...command, isHidden: true })),
    ...(mayWrite ? writing : []),
  ])
}
