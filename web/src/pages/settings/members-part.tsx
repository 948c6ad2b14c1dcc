import { isLastOwner, type MemberRole, mayChange, memberRoles } from '@rapport/contract/roles'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call, type Reply } from '../../api/call.ts'
import { client } from '../../api/client.ts'
import { type MemberRecord, recordQueries } from '../../api/records.ts'
import { meQuery, useMe } from '../../api/session.ts'
import { change } from '../../parts/records/change.ts'
import { orTell } from '../../ui/attempt.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { dotted, formatExact } from '../../ui/format.ts'
import { RowMenu } from '../../ui/menu.tsx'
import { Select } from '../../ui/select.tsx'
import { factors } from '../../words/factors.ts'
import { words } from '../../words/index.ts'
import { mail as mailWords } from '../../words/mail.ts'
import { settings } from '../../words/settings.ts'
import { FactorReset, factorRuleQuery } from './factor-rule.tsx'
import { MemberSessions } from './member-sessions.tsx'
import { type Part, PartState } from './part-state.tsx'
import { RemoveMember } from './remove-member.tsx'
import { Secret, type SecretText } from './secret.tsx'
import { SecretForm } from './secret-form.tsx'
import css from './settings.module.css'

const { members: said } = settings
const key = recordQueries.members.queryKey

function MembersPart() {
  const query = useQuery(recordQueries.members)
  const me = useMe()
  const [secret, setSecret] = useState<SecretText>()
  const [removing, setRemoving] = useState<MemberRecord>()
  const [unbinding, setUnbinding] = useState<MemberRecord>()
  const [signedIn, setSignedIn] = useState<MemberRecord>()
  const [resetting, setResetting] = useState<MemberRecord>()
  const { data: rule } = useQuery(factorRuleQuery)
  const link = ({ id, name, email }: MemberRecord) =>
    orTell(words.faults.notSaved(said.newLink), async () => {
      const made = await call('POST /members/{id}/link', { id })
      setSecret(
        made.purpose === 'invitation'
          ? invitation(email, made)
          : { title: said.resetTitle(name || email), ...handOver(made) },
      )
      await client.invalidateQueries({ queryKey: key })
    })
  return (
    <>
      <p className={css.hint}>{said.roleHints}</p>
      <PartState query={query}>
        {(members) => (
          <ul>
            {members.map((member) => (
              <MemberRow
                key={member.id}
                member={member}
                isLast={isLastOwner(member, members)}
                onLink={() => void link(member)}
                onUnbind={() => setUnbinding(member)}
                onSessions={() => setSignedIn(member)}
                onRemove={() => setRemoving(member)}
                hasFactor={rule?.members.includes(member.id) ?? false}
                onReset={() => setResetting(member)}
              />
            ))}
          </ul>
        )}
      </PartState>
      <SecretForm
        label={said.email}
        type="email"
        roleLabel={said.role}
        roles={memberRoles.filter((role) => mayChange(me.role, role))}
        first="write"
        roleWords={said.roles}
        action={said.invite}
        queryKey={key}
        make={async (email, role) => {
          const made = await call('POST /members', { body: { email, role } })
          return invitation(made.email, made)
        }}
        onMade={setSecret}
      />
      {secret && <Secret {...secret} onClose={() => setSecret(undefined)} />}
      {unbinding && <Unbinding member={unbinding} onClose={() => setUnbinding(undefined)} />}
      {signedIn && <MemberSessions member={signedIn} onClose={() => setSignedIn(undefined)} />}
      {resetting && <FactorReset member={resetting} onClose={() => setResetting(undefined)} />}
      {removing && (
        <RemoveMember
          member={removing}
          members={query.data ?? []}
          onClose={() => setRemoving(undefined)}
        />
      )}
    </>
  )
}

type MadeLink = Pick<Reply<'POST /members'>, 'link' | 'expires_at' | 'sent_to'>

/** Where people sign in with the provider only, an invitation is the address of the page. */
function invitation(email: string, made: MadeLink): SecretText {
  return made.link.includes('#')
    ? { title: said.inviteTitle(email), ...handOver(made) }
    : { title: said.openidTitle(email), text: said.openidText, secret: made.link, isOptional: true }
}

function handOver({ link, expires_at, sent_to }: MadeLink): Omit<SecretText, 'title'> {
  const text = sent_to ? mailWords.sentTo(sent_to) : said.inviteText(formatExact(expires_at))
  return { text, secret: link, isOptional: sent_to !== null }
}

interface RowProps {
  member: MemberRecord
  isLast: boolean
  onLink: () => void
  onUnbind: () => void
  onSessions: () => void
  onRemove: () => void
  hasFactor: boolean
  onReset: () => void
}

function MemberRow(props: RowProps) {
  const { member, isLast, hasFactor } = props
  const { onLink, onUnbind, onSessions, onReset, onRemove } = props
  const { id, name, email, picture, role, invited_until, provider, password_locked_until } = member
  const shown = name || email
  const me = useMe()
  const mayLink = mayChange(me.role, role)
  const [losing, setLosing] = useState<MemberRole>()
  const setRole = (next: MemberRole) =>
    change<MemberRecord>({
      key,
      what: said.roleOf(shown),
      shown: (all) => all.map((one) => (one.id === id ? { ...one, role: next } : one)),
      work: () => call('PATCH /members/{id}', { id, body: { role: next } }),
    })
  return (
    <li className={css.row}>
      <Avatar name={shown} picture={picture} />
      <div className="block">
        <div>
          <bdi>{shown}</bdi> {id === me.id && <span className="note">{said.you}</span>}
        </div>
        <div className="note">
          {dotted(
            shown !== email && email,
            invited_until && invitedText(invited_until),
            provider && said.bound(provider),
            password_locked_until && said.locked(formatExact(password_locked_until)),
            hasFactor && factors.hasFactor,
            isLast && said.lastOwner,
          )}
        </div>
      </div>
      <Select
        isBare
        className={css.select}
        label={said.roleOf(shown)}
        value={role}
        isDisabled={!mayLink || isLast}
        options={memberRoles
          .filter((one) => mayChange(me.role, one) || one === role)
          .map((one) => [one, said.roles[one]])}
        onValue={(next) => {
          if (next === role) return
          // Nobody gives themselves more than they have.
          if (id === me.id) setLosing(next as MemberRole)
          else void setRole(next as MemberRole)
        }}
      />
      <RowMenu
        label={said.actions(shown)}
        groups={[
          [
            {
              id: 'link',
              label: invited_until ? said.newInvitation : said.newLink,
              isDisabled: !mayLink,
              onPick: onLink,
            },
            provider && {
              id: 'unbind',
              label: said.unbind,
              isDisabled: !mayLink,
              onPick: onUnbind,
            },
            { id: 'sessions', label: said.sessions, isDisabled: !mayLink, onPick: onSessions },
            {
              id: 'reset-factor',
              label: factors.reset,
              isDisabled: !mayLink || !hasFactor,
              onPick: onReset,
            },
          ],
          [
            {
              id: 'remove',
              label: said.remove,
              isDangerous: true,
              isDisabled: !mayLink || isLast,
              onPick: onRemove,
            },
          ],
        ]}
      />
      {losing && (
        <Confirm
          title={said.losingTitle(said.roles[losing])}
          action={said.losing}
          onConfirm={async () => {
            await setRole(losing)
            await client.invalidateQueries({ queryKey: meQuery.queryKey })
          }}
          onClose={() => setLosing(undefined)}
        >
          {said.losingText}
        </Confirm>
      )}
    </li>
  )
}

const invitedText = (until: string) =>
  Date.parse(until) < Date.now() ? said.expired : said.invited(formatExact(until))

function Unbinding({ member, onClose }: { member: MemberRecord; onClose: () => void }) {
  const { id, name, email } = member
  return (
    <Confirm
      title={said.unbindTitle(name || email)}
      action={said.unbind}
      onConfirm={async () => {
        await call('DELETE /members/{id}/identity', { id })
        await client.invalidateQueries({ queryKey: key })
      }}
      onClose={onClose}
    >
      {said.unbindText(email)}
    </Confirm>
  )
}

export default { needs: 'admin', Content: MembersPart } satisfies Part
