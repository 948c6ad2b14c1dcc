// What a new key is limited to: scopes, networks, an end. Folded away, because most keys need none of it.
import { allows, type Role, type Scope, scopeRoles, scopes } from '@rapport/contract/roles'
import { Field } from '../../ui/form.tsx'
import { Select } from '../../ui/select.tsx'
import { settings } from '../../words/settings.ts'
import css from './settings.module.css'

const { keys: said } = settings

export interface Limits {
  scopes: Scope[]
  networks: string
  /** In days. Empty: never. */
  endsIn: string
  isAgent: boolean
}

export const noLimits: Limits = { scopes: [], networks: '', endsIn: '', isAgent: false }

/** As the service takes them. A scope that was chosen for a higher role does not count. */
export function limitsOf({ scopes, networks, endsIn, isAgent }: Limits, role: Role) {
  const fitting = scopes.filter((scope) => allows(role, scopeRoles[scope]))
  const from = networks.split(/[\s,]+/).filter(Boolean)
  return {
    ...(fitting.length > 0 && { scopes: fitting }),
    ...(from.length > 0 && { allowed_from: from }),
    ...(endsIn && { expires_at: new Date(Date.now() + Number(endsIn) * 86_400_000).toISOString() }),
    ...(isAgent && { kind: 'agent' as const }),
  }
}

export function KeyLimits({
  role,
  limits,
  onLimits,
}: {
  role: Role
  limits: Limits
  onLimits: (limits: Limits) => void
}) {
  const set = (change: Partial<Limits>) => onLimits({ ...limits, ...change })
  return (
    <details className={css.limits}>
      <summary>{said.limit}</summary>
      <fieldset>
        <legend>{said.scopesLabel}</legend>
        {scopes
          .filter((scope) => allows(role, scopeRoles[scope]))
          .map((scope) => (
            <label key={scope} className={css.check}>
              <input
                type="checkbox"
                checked={limits.scopes.includes(scope)}
                onChange={({ target }) =>
                  set({
                    scopes: target.checked
                      ? [...limits.scopes, scope]
                      : limits.scopes.filter((one) => one !== scope),
                  })
                }
              />
              {said.scopes[scope]}
            </label>
          ))}
        <p className={css.hint}>{said.scopesHint}</p>
      </fieldset>
      <Field
        label={said.networks}
        hint={said.networksHint}
        value={limits.networks}
        onValue={(networks) => set({ networks })}
      />
      <Select
        label={said.ends}
        value={limits.endsIn}
        options={Object.entries(said.endsIn)}
        onValue={(endsIn) => set({ endsIn })}
      />
      <label className={css.check}>
        <input
          type="checkbox"
          checked={limits.isAgent}
          onChange={({ target }) => set({ isAgent: target.checked })}
        />
        {said.agent}
      </label>
    </details>
  )
}
