import { roles, type Scope } from '@rapport/contract/roles'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call, type Reply } from '../../api/call.ts'
import { client } from '../../api/client.ts'
import { recordQueries } from '../../api/records.ts'
import { useAttempt } from '../../ui/attempt.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { dotted, formatAgo, formatDay } from '../../ui/format.ts'
import { Refusal } from '../../ui/small.tsx'
import { settings } from '../../words/settings.ts'
import { KeyLimits, type Limits, limitsOf, noLimits } from './key-limits.tsx'
import { type Part, PartState } from './part-state.tsx'
import { Secret, type SecretText } from './secret.tsx'
import { SecretForm } from './secret-form.tsx'
import css from './settings.module.css'

const { keys: said, name: nameLabel } = settings
const queryKey = ['keys']

type Key = Reply<'GET /keys'>[number]

function KeysPart() {
  const query = useQuery({ queryKey, queryFn: ({ signal }) => call('GET /keys', { signal }) })
  const [secret, setSecret] = useState<SecretText>()
  const [limits, setLimits] = useState<Limits>(noLimits)
  const [ending, setEnding] = useState<Key>()
  const valid = query.data?.filter(({ revoked_at }) => !revoked_at)
  const revoked = (query.data?.length ?? 0) - (valid?.length ?? 0)
  return (
    <>
      <PartState query={{ ...query, data: valid }} none={said.none}>
        {(keys) => (
          <ul>
            {keys.map((key) => (
              <KeyRow key={key.id} row={key} onRevoke={() => setEnding(key)} />
            ))}
          </ul>
        )}
      </PartState>
      {revoked > 0 && <p className={css.hint}>{said.revoked(revoked)}</p>}
      <SecretForm
        label={nameLabel}
        roleLabel={said.role}
        roles={roles}
        first="write"
        roleWords={said.roles}
        more={(role) => <KeyLimits role={role} limits={limits} onLimits={setLimits} />}
        action={said.create}
        queryKey={queryKey}
        make={async (name, role) => {
          const body = { name, role, ...limitsOf(limits, role) }
          const made = await call('POST /keys', { body })
          setLimits(noLimits)
          return { title: said.title(made.name), text: said.text, secret: made.key }
        }}
        onMade={setSecret}
      />
      <ConnectAgent onMade={setSecret} />
      {secret && <Secret {...secret} onClose={() => setSecret(undefined)} />}
      {ending && (
        <Confirm
          title={said.revokeTitle(ending.name)}
          action={said.revoke}
          onConfirm={async () => {
            await call('DELETE /keys/{id}', { id: ending.id })
            await client.invalidateQueries({ queryKey })
          }}
          onClose={() => setEnding(undefined)}
        >
          {said.revokeText}
        </Confirm>
      )}
    </>
  )
}

/** Makes a key that can do all that the tools of an agent do, and can undo it. */
function ConnectAgent({ onMade }: { onMade: (secret: SecretText) => void }) {
  const { fault, attempt } = useAttempt()
  const connect = async () => {
    const body = {
      ...({ name: 'Agent', kind: 'agent', role: 'write' } as const),
      scopes: ['read', 'write', 'bulk', 'delete'] satisfies Scope[],
    }
    const { key } = await call('POST /keys', { body })
    onMade({
      ...{ title: said.connect, text: said.connectText, secret: key },
      choices: { label: said.client, options: Object.entries(said.clients), texts: textsFor(key) },
    })
    await client.invalidateQueries({ queryKey })
  }
  return (
    <div className={css.below}>
      <Button onClick={() => void attempt(connect)}>{said.connect}</Button>
      <Refusal text={fault} />
    </div>
  )
}

/** What the common clients of agents take. docs/AGENTS.md has the same. */
function textsFor(key: string): Record<keyof typeof said.clients, string> {
  const { origin } = location
  const url = `${origin}/mcp`
  const Authorization = `Bearer ${key}`
  const headers = { Authorization }
  const json = (content: object) => JSON.stringify(content, undefined, 2)
  const file = (rapport: object) => json({ mcpServers: { rapport } })
  return {
    claudeCode: `claude mcp add --transport http rapport ${url} --header "Authorization: ${Authorization}"`,
    claudeDesktop: file({
      command: 'rapport',
      args: ['mcp', '--url', origin],
      env: { RAPPORT_KEY: key },
    }),
    cursor: file({ type: 'http', url, headers }),
    vsCode: json({ servers: { rapport: { type: 'http', url, headers } } }),
    gemini: file({ httpUrl: url, headers }),
    codex: [
      `# ${said.codexKey(key)}`,
      '[mcp_servers.rapport]',
      `url = "${url}"`,
      'bearer_token_env_var = "RAPPORT_KEY"',
    ].join('\n'),
    other: `${url}\nAuthorization: ${Authorization}`,
  }
}

function KeyRow({ row, onRevoke }: { row: Key; onRevoke: () => void }) {
  const { name, hint, kind, role, scopes, allowed_from, id_member, expires_at } = row
  const { last_used_at, last_used_from } = row
  const { data: members = [] } = useQuery(recordQueries.members)
  const member = members.find(({ id }) => id === id_member)
  return (
    <li className={css.row}>
      <div className="block">
        <div>
          <bdi>{name}</bdi> <code className={css.code}>{hint}</code>
        </div>
        <div className="note">
          {dotted(
            said.kinds[kind],
            said.roles[role],
            scopes && said.narrowed(scopes.map((scope) => said.scopes[scope].toLowerCase())),
            allowed_from && said.allowedFrom(allowed_from),
            member && said.actsAs(member.name || member.email),
            last_used_at ? said.lastUsed(formatAgo(last_used_at), last_used_from) : said.neverUsed,
            expires_at && said.expires(formatDay(expires_at)),
          )}
        </div>
      </div>
      <Button look="danger" aria-label={said.revokeOf(name)} onClick={onRevoke}>
        {said.revoke}
      </Button>
    </li>
  )
}

export default { needs: 'admin', Content: KeysPart } satisfies Part
