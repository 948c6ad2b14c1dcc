// Removing a member asks who gets their leads and open reminders.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call, open } from '../../api/call.ts'
import { client } from '../../api/client.ts'
import { countQuery } from '../../api/leads.ts'
import { type MemberRecord, recordQueries } from '../../api/records.ts'
import { refreshReminders } from '../../api/reminders.ts'
import { memberOptions } from '../../kinds/relations.tsx'
import { operationsQuery, previewOperation } from '../../parts/bulk/operations.ts'
import { Shares } from '../../parts/bulk/shares.tsx'
import { follow } from '../../parts/bulk/tray.tsx'
import { readAgain } from '../../parts/records/change.ts'
import { Choices } from '../../ui/choices.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Options } from '../../ui/options.tsx'
import { words } from '../../words/index.ts'
import { settings } from '../../words/settings.ts'
import css from './settings.module.css'

const { members: said } = settings
const key = recordQueries.members.queryKey

export function RemoveMember({
  member: { id, name, email },
  members,
  onClose,
}: {
  member: MemberRecord
  members: MemberRecord[]
  onClose: () => void
}) {
  const { data: leads } = useQuery({ ...countQuery({ owners: [id] }), staleTime: 0 })
  const { data: reminders } = useQuery({
    queryKey: ['reminders', 'open', id],
    queryFn: async ({ signal }) => {
      const filter = { users: [id], is_done: false }
      return (await call('POST /reminders/count', { body: { filter }, signal })).count
    },
    staleTime: 0,
  })
  const [leaves, setLeaves] = useState(false)
  const [chosen, setChosen] = useState<readonly string[]>([])
  const others = members.filter((member) => member.id !== id)
  const hasSomething = (leads ?? 0) + (reminders ?? 0) > 0 && others.length > 0
  const owners = hasSomething && !leaves ? chosen : []
  const { data: preview } = useQuery({
    queryKey: ['preview', 'removal', id, owners],
    queryFn: ({ signal }) =>
      previewOperation({ kind: 'hand-over', filter: {}, data: { from: id, owners } }, signal),
    enabled: owners.length > 0,
    staleTime: 0,
    gcTime: 0,
  })
  const toggle = (picked: string) =>
    setChosen(
      chosen.includes(picked) ? chosen.filter((one) => one !== picked) : [...chosen, picked],
    )
  const remove = async () => {
    const response = await open('DELETE /members/{id}', {
      id,
      ...(owners.length > 0 && { query: { hand_over_to: owners.join() } }),
    })
    const operation = response.headers.get('X-Operation-Id')
    const names = others.filter((one) => owners.includes(one.id)).map((one) => one.name)
    if (operation) {
      const said = words.bulk.fromTo(name || email, words.bulk.listed(names))
      await client.invalidateQueries(operationsQuery)
      follow({ id: operation, change: 'hand-over', name: said, count: leads ?? 0 })
    }
    await readAgain(key)
    void refreshReminders()
  }
  const isCounted = leads !== undefined && reminders !== undefined
  return (
    <Confirm
      title={said.removeTitle(name || email)}
      action={said.remove}
      isReady={isCounted && (!hasSomething || leaves || owners.length > 0)}
      onConfirm={remove}
      onClose={onClose}
    >
      <p className={css.hint}>
        {isCounted ? said.removeText(leads, reminders) : settings.counting}
      </p>
      {isCounted && hasSomething && (
        <>
          <Choices
            label={said.heirs}
            choices={[
              { id: 'hand over', label: said.handOver },
              { id: 'leave', label: said.leaveThem },
            ]}
            chosen={leaves ? 'leave' : 'hand over'}
            onChoose={(id) => setLeaves(id === 'leave')}
          />
          {!leaves && (
            <Options
              isFramed
              label={words.bulk.findMember}
              options={memberOptions(others)}
              chosen={new Set(chosen)}
              onPick={toggle}
            />
          )}
          {preview?.shares && <Shares shares={preview.shares} members={members} />}
        </>
      )}
    </Confirm>
  )
}
