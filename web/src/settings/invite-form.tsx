import { type MemberRole, memberRoles } from '@rapport/contract/members.values'
import { useState } from 'react'
import { call } from '../api/call.ts'
import { client } from '../api/client.ts'
import { reasonOf } from '../api/fault.ts'
import { recordQueries } from '../api/records.ts'
import { Button } from '../ui/button.tsx'
import { Field, Select } from '../ui/form.tsx'
import { formatExact } from '../ui/format.ts'
import { words } from '../words/index.ts'
import type { SecretText } from './secret.tsx'
import css from './settings.module.css'

const { members: said } = words.settings

interface Props {
  /** Only an owner can invite an owner. */
  isOwner: boolean
  onInvited: (link: SecretText) => void
}

export function InviteForm({ isOwner, onInvited }: Props) {
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<MemberRole>('write')
  const [fault, setFault] = useState('')
  const invite = async () => {
    try {
      const made = await call('POST /members', { body: { email: email.trim(), role } })
      setFault('')
      setEmail('')
      onInvited({
        title: said.inviteTitle(made.email),
        text: said.inviteText(formatExact(made.expires_at)),
        secret: made.link,
      })
      await client.invalidateQueries({ queryKey: recordQueries.members.queryKey })
    } catch (error) {
      setFault(reasonOf(error))
    }
  }
  return (
    <form
      className={css.formRow}
      onSubmit={(event) => {
        event.preventDefault()
        void invite()
      }}
    >
      <Field
        label={said.email}
        type="email"
        value={email}
        onValue={setEmail}
        fault={fault || undefined}
        isRequired
      />
      <Select
        label={said.role}
        value={role}
        options={memberRoles
          .filter((one) => isOwner || one !== 'owner')
          .map((one) => [one, said.roles[one]] as const)}
        onValue={(next) => setRole(next as MemberRole)}
      />
      <Button type="submit" look="go" disabled={!email.trim()}>
        {said.invite}
      </Button>
    </form>
  )
}
