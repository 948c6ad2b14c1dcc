// Who owns the selected leads: add, set and remove members, replace one, or give the leads to several in turn.
import { useState } from 'react'
import type { Records } from '../../api/records.ts'
import { memberOptions } from '../../kinds/relations.tsx'
import { Button } from '../../ui/button.tsx'
import { Choices } from '../../ui/choices.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Options } from '../../ui/options.tsx'
import { Select } from '../../ui/select.tsx'
import { submitting } from '../../ui/submitting.ts'
import { words } from '../../words/index.ts'
import type { Wanted } from './operations.ts'
import { type OwnersChange, ownersChangeNames, ownersChanges } from './owners.ts'

const { bulk } = words

const choices = ownersChangeNames.map((id) => ({
  ...{ id, label: bulk.changes[id].label, hint: bulk.ownersHints[id] },
}))

interface Props {
  first: OwnersChange
  count: number
  records: Records
  onAsk: (wanted: Pick<Wanted, 'kind' | 'data'>, change: OwnersChange, name: string) => void
  onClose: () => void
}

export default function OwnersDialog({ first, count, records, onAsk, onClose }: Props) {
  const [change, setChange] = useState(first)
  const [from, setFrom] = useState('')
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const { members } = records
  const isReplacing = change === 'hand-over'
  const owners = [...chosen].filter((id) => !isReplacing || id !== from)
  const nameOf = (id: string) => members.find((member) => member.id === id)?.name ?? ''
  const names = bulk.listed(owners.map(nameOf))
  const isComplete = owners.length > 0 && (!isReplacing || from !== '')
  const toggle = (id: string) => {
    const next = new Set(chosen)
    if (!next.delete(id)) next.add(id)
    setChosen(next)
  }
  return (
    <Dialog title={bulk.ownersOf(count)} size="m" onClose={onClose}>
      <form
        onSubmit={submitting(() => {
          if (!isComplete) return
          onAsk(
            ownersChanges[change](owners, from),
            change,
            isReplacing ? bulk.fromTo(nameOf(from), names) : names,
          )
        })}
      >
        <Choices label={bulk.whatToDo} choices={choices} chosen={change} onChoose={setChange} />
        {isReplacing && (
          <Select
            label={bulk.replaced}
            value={from}
            options={[['', bulk.pickMember], ...members.map(({ id, name }) => [id, name] as const)]}
            onValue={setFrom}
          />
        )}
        <Options
          isFramed
          label={bulk.findMember}
          options={memberOptions(members.filter(({ id }) => !isReplacing || id !== from))}
          chosen={chosen}
          onPick={toggle}
        />
        <DialogActions aside={names}>
          <Button onClick={onClose}>{words.actions.cancel}</Button>
          <Button type="submit" look="go" disabled={!isComplete}>
            {bulk.preview}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
