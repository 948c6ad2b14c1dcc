// Ids that the documented examples speak of. The document that the service serves to a caller with a key
// has ids of the caller's own records in their place.
export const exampleIds = {
  list: '01920000-0000-7000-8000-000000000001',
  otherList: '01920000-0000-7000-8000-000000000002',
  status: '01920000-0000-7000-8000-000000000003',
  tag: '01920000-0000-7000-8000-000000000005',
  attribute: '01920000-0000-7000-8000-000000000006',
  note: '01920000-0000-7000-8000-000000000008',
  reminder: '01920000-0000-7000-8000-000000000009',
  lead: '01920000-0000-7000-8000-00000000000a',
  campaign: '01920000-0000-7000-8000-000000000013',
  operation: '01920000-0000-7000-8000-000000000016',
  view: '01920000-0000-7000-8000-00000000000c',
  member: '01920000-0000-7000-8000-00000000000b',
  key: '01920000-0000-7000-8000-000000000017',
  session: '01920000-0000-7000-8000-000000000019',
  import: '01920000-0000-7000-8000-000000000018',
} as const

/** Stands for the `confirm` of a preview, which an example cannot know. */
export const exampleConfirm = 'the confirm of the preview'

export type ExampleKind = keyof typeof exampleIds
