// What can be done wherever leads are shown next to an open one: in the grid and on the board.
import { useMayWrite } from '../../api/session.ts'
import type { Command } from '../../frame/commands.ts'
import { words } from '../../words/index.ts'

interface Options {
  /** Whether a lead is open. */
  isOpen: boolean
  onNew: () => void
  onClose: () => void
}

/** Last in the list of the page: Escape closes the lead before anything else. */
export function useLeadCommands({ isOpen, onNew, onClose }: Options): Command[] {
  const mayWrite = useMayWrite()
  const { commands: c } = words
  const commands: Command[] = []
  if (mayWrite)
    commands.push({
      id: 'new-lead',
      title: c.newLead,
      group: c.groups.leads,
      also: 'create add',
      keys: 'C',
      run: onNew,
    })
  if (isOpen)
    commands.push({
      id: 'close-lead',
      title: c.closeLead,
      group: c.groups.lead,
      keys: 'Escape',
      run: onClose,
    })
  return commands
}
