// Makes something with a secret that is shown once: an invitation with its link, a key.
import { type ReactNode, useState } from 'react'
import { client } from '../../api/client.ts'
import { useAttempt } from '../../ui/attempt.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/form.tsx'
import { Select } from '../../ui/select.tsx'
import { submitting } from '../../ui/submitting.ts'
import type { SecretText } from './secret.tsx'
import css from './settings.module.css'

interface Props<Role extends string> {
  /** What the text is: an email address, a name. */
  label: string
  type?: 'email'
  roleLabel: string
  roles: readonly Role[]
  /** The role that is chosen at first. */
  first: Role
  roleWords: Record<Role, string>
  /** Further inputs, after the role. */
  more?: (role: Role) => ReactNode
  action: string
  make: (text: string, role: Role) => Promise<SecretText>
  /** What has one more then. */
  queryKey: readonly unknown[]
  onMade: (secret: SecretText) => void
}

export function SecretForm<Role extends string>(props: Props<Role>) {
  const { label, type, roleLabel, roles, roleWords, more, action, make, queryKey, onMade } = props
  const [text, setText] = useState('')
  const [role, setRole] = useState(props.first)
  const { fault, attempt } = useAttempt()
  const submit = async () => {
    const secret = await make(text.trim(), role)
    setText('')
    onMade(secret)
    await client.invalidateQueries({ queryKey })
  }
  return (
    <form className={css.formRow} onSubmit={submitting(() => attempt(submit))}>
      <Field
        label={label}
        {...(type && { type })}
        value={text}
        onValue={setText}
        fault={fault || undefined}
        isRequired
      />
      <Select
        label={roleLabel}
        value={role}
        options={roles.map((one) => [one, roleWords[one]] as const)}
        onValue={(next) => setRole(next as Role)}
      />
      {more?.(role)}
      <Button type="submit" look="go" disabled={!text.trim()}>
        {action}
      </Button>
    </form>
  )
}
