export const first = {
  title: 'No leads yet',
  text: 'Import a file, create your first lead, or explore with a thousand sample leads.',
  readOnly: 'No one has added a lead yet.',
  create: 'First lead',
  import: 'Import',
  demo: 'Demo data',
  filling: 'Creating …',
  demoFailed: 'Couldn’t create the demo data',
} as const
