export const first = {
  title: 'No leads yet',
  text: 'Import a file, create your first lead, or explore with a thousand sample leads.',
  readOnly: 'No one has added a lead yet.',
  create: 'First lead',
  import: 'Import',
  demo: 'Demo data',
  demoTitle: 'Fill this workspace with demo data?',
  demoText:
    'This creates a thousand sample leads, with lists, stages, tags, fields and reminders. Use a workspace that you do not need for real leads.',
  demoAction: 'Create demo data',
  filling: 'Creating…',
  demoFailed: 'Couldn’t create the demo data',
} as const
