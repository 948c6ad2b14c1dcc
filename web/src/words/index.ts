// Every word of the page that does not come from the service. One typed object, a file for each section: a
// translation is another object of the same type. Sections that only a few pages need are imported by those, so that
// the first load does not have them.
import { actions } from './actions.ts'
import { board } from './board.ts'
import { bulk } from './bulk.ts'
import { campaigns } from './campaigns.ts'
import { commands } from './commands.ts'
import { exporting } from './export.ts'
import { faults } from './faults.ts'
import { fields } from './fields.ts'
import { filter } from './filter.ts'
import { first } from './first.ts'
import { grid } from './grid.ts'
import { help } from './help.ts'
import { inbox } from './inbox.ts'
import { lead } from './lead.ts'
import { leads } from './leads.ts'
import { live } from './live.ts'
import { money } from './money.ts'
import { nav } from './nav.ts'
import { newLead } from './new-lead.ts'
import { notes } from './notes.ts'
import { overview } from './overview.ts'
import { palette } from './palette.ts'
import { pipeline } from './pipeline.ts'
import { reminders } from './reminders.ts'
import { lost, reports } from './reports.ts'
import { signIn } from './sign-in.ts'
import { timeline } from './timeline.ts'
import { trash } from './trash.ts'
import { undo } from './undo.ts'
import { views } from './views.ts'

export const words = {
  product: 'Rapport',
  toasts: 'Notices',
  justNow: 'just now',
  faults,
  actions,
  nav,
  signIn,
  commands,
  palette,
  help,
  leads,
  lead,
  notes,
  reminders,
  timeline,
  bulk,
  newLead,
  first,
  views,
  grid,
  fields,
  filter,
  export: exporting,
  pipeline,
  money,
  board,
  overview,
  reports,
  lost,
  live,
  inbox,
  campaigns,
  trash,
  undo,
} as const

export type Words = typeof words
