// What people change about themselves: picture, name, email, time zone.
import { useRef, useState } from 'react'
import { call } from '../../api/call.ts'
import { client } from '../../api/client.ts'
import { Fault } from '../../api/fault.ts'
import { recordQueries } from '../../api/records.ts'
import { meQuery, useMe } from '../../api/session.ts'
import { orTell } from '../../ui/attempt.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/form.tsx'
import { reasonOf } from '../../ui/reason.ts'
import { Select } from '../../ui/select.tsx'
import { tell } from '../../ui/toast.tsx'
import { words } from '../../words/index.ts'
import { settings } from '../../words/settings.ts'
import { toPicture } from './picture.ts'
import { SaveForm } from './save-form.tsx'
import css from './settings.module.css'
import { zoneChoices } from './zone-choices.ts'

const said = settings.profile

/** Names and pictures are shown in many places. */
const refresh = () =>
  Promise.all(
    [meQuery, recordQueries.members].map(({ queryKey }) => client.invalidateQueries({ queryKey })),
  )

export function Profile() {
  const me = useMe()
  const [name, setName] = useState(me.name)
  const [email, setEmail] = useState(me.email)
  const [zone, setZone] = useState(me.time_zone ?? '')
  const [faults, setFaults] = useState<Record<string, string>>({})
  const isSame = name === me.name && email === me.email && zone === (me.time_zone ?? '')
  const save = async () => {
    try {
      const body = { name: name.trim(), time_zone: zone || null }
      await call('PATCH /session/profile', { body })
      if (email !== me.email) await call('PATCH /session/email', { body: { email } })
      setFaults({})
      tell(settings.saved)
    } catch (error) {
      const issue = error instanceof Fault ? error.issues[0] : undefined
      const at = issue?.path[0] === 'email' || issue?.code === 'sign_in_again' ? 'email' : 'name'
      setFaults({ [at]: issue?.message ?? reasonOf(error) })
    }
    await refresh()
  }
  return (
    <>
      <Picture />
      <SaveForm name={name} isSame={isSame} onSave={save}>
        <Field
          label={settings.name}
          autoComplete="name"
          value={name}
          onValue={setName}
          fault={faults.name}
          isRequired
        />
        <Field
          label={words.signIn.email}
          type="email"
          autoComplete="email"
          value={email}
          onValue={setEmail}
          fault={faults.email}
          hint={said.emailHint}
          isRequired
        />
        <Select
          label={settings.timeZone}
          value={zone}
          options={[['', said.browserZone], ...zoneChoices(me.time_zone)]}
          onValue={setZone}
        />
      </SaveForm>
    </>
  )
}

function Picture() {
  const { name, email, picture } = useMe()
  const input = useRef<HTMLInputElement>(null)
  const set = (make: () => Promise<string | null>) =>
    orTell(said.pictureFailed, async () => {
      await call('PATCH /session/profile', { body: { picture: await make() } })
      await refresh()
    })
  return (
    <div className={css.picture}>
      <Avatar name={name || email} picture={picture} size="l" />
      <Button onClick={() => input.current?.click()}>
        {picture ? said.changePicture : said.addPicture}
      </Button>
      {picture && <Button onClick={() => void set(async () => null)}>{said.removePicture}</Button>}
      <input
        ref={input}
        type="file"
        accept="image/*"
        aria-label={said.pictureFile}
        className="hidden"
        tabIndex={-1}
        onChange={({ target }) => {
          const [file] = target.files ?? []
          target.value = ''
          if (file) void set(() => toPicture(file))
        }}
      />
    </div>
  )
}
