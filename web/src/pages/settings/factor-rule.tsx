// Who needs a second factor, and resetting that of a member who has lost it.
import { needsFactor } from '@rapport/contract/roles'
import { factorRules, type FactorRule as Rule } from '@rapport/contract/sign-in'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { client } from '../../api/client.ts'
import { type MemberRecord, recordQueries } from '../../api/records.ts'
import { classes } from '../../ui/classes.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { Select } from '../../ui/select.tsx'
import { tell, tellFault } from '../../ui/toast.tsx'
import { factors as said } from '../../words/factors.ts'
import { words } from '../../words/index.ts'
import { settings } from '../../words/settings.ts'
import css from './settings.module.css'

export const factorRuleQuery = {
  queryKey: ['factor-rule'],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    call('GET /workspace/second-factor', { signal }),
}

export function FactorRule() {
  const { data } = useQuery(factorRuleQuery)
  const { data: members = [] } = useQuery(recordQueries.members)
  const [wanted, setWanted] = useState<Rule>()
  if (!data) return null
  const save = async (required: Rule) => {
    const after = await call('PATCH /workspace/second-factor', { body: { required } })
    client.setQueryData(factorRuleQuery.queryKey, after)
    tell(settings.saved)
  }
  const choose = (rule: Rule) => {
    if (rule !== 'optional') setWanted(rule)
    else save(rule).catch((error) => tellFault(words.faults.notSaved(said.rule), error))
  }
  const without = members.filter(
    (member) => wanted && needsFactor(wanted, member.role) && !data.members.includes(member.id),
  )
  return (
    <div className={classes(css.form, css.apart)}>
      <Select
        label={said.rule}
        value={data.required}
        options={factorRules.map((rule) => [rule, said.rules[rule]] as const)}
        onValue={(rule) => choose(rule as Rule)}
      />
      <p className={css.hint}>{said.ruleHint}</p>
      {wanted && (
        <Confirm
          title={said.ruleTitle}
          action={said.ruleAction}
          onConfirm={() => save(wanted)}
          onClose={() => setWanted(undefined)}
        >
          {said.ruleText(without.length)}
        </Confirm>
      )}
    </div>
  )
}

export function FactorReset({ member, onClose }: { member: MemberRecord; onClose: () => void }) {
  const { id, name, email } = member
  return (
    <Confirm
      title={said.resetTitle(name || email)}
      action={said.reset}
      onConfirm={async () => {
        tell(await call('DELETE /members/{id}/second-factor', { id }))
        await client.invalidateQueries({ queryKey: factorRuleQuery.queryKey })
      }}
      onClose={onClose}
    >
      {said.resetText}
    </Confirm>
  )
}
