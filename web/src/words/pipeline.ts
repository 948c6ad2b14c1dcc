export const pipeline = {
  choose: 'Choose a list',
  find: 'Find a list',
  whole: 'Whole workspace',
  lists: 'Lists',
  gone: 'This list no longer exists',
} as const
