// Ids that the documented examples speak of. Tests make records with these ids and run the examples.
export const exampleIds = {
  list: '01920000-0000-7000-8000-000000000001',
  otherList: '01920000-0000-7000-8000-000000000002',
  status: '01920000-0000-7000-8000-000000000003',
  otherStatus: '01920000-0000-7000-8000-000000000004',
  tag: '01920000-0000-7000-8000-000000000005',
} as const
