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
  member: '01920000-0000-7000-8000-00000000000b',
  key: '01920000-0000-7000-8000-00000000000c',
} as const

export type ExampleKind = keyof typeof exampleIds
