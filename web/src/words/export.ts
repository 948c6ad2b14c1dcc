export const exporting = {
  title: 'Export',
  selected: 'Selected leads',
  csvView: 'These columns as CSV',
  csv: 'All fields as CSV',
  ndjson: 'All fields as NDJSON',
} as const
