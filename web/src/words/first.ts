export const first = {
  title: 'No leads yet',
  text: 'Import a file, create the first lead, or look around with a thousand made-up leads.',
  readOnly: 'Nobody has added a lead yet.',
  create: 'First lead',
  import: 'Import',
  demo: 'Demo data',
  filling: 'Filling …',
  demoFailed: 'The demo data was not created',
} as const
