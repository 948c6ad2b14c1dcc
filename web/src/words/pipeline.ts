export const pipeline = {
  choose: 'Choose a list',
  find: 'Find a list',
  whole: 'Whole workspace',
  lists: 'Lists',
  gone: 'This list is not there any more',
} as const
