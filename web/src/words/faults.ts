export const faults = {
  unreachable: 'The service cannot be reached.',
  signedOut: 'You are signed out.',
  forbidden: 'Your role does not allow this.',
  notFound: 'This is not there any more.',
  conflict: 'Something else changed it in the meantime.',
  busy: 'The service is busy. Please try again.',
  other: 'This did not work. Please try again.',
  broken: 'This page has a fault',
  brokenText: 'What you saved is safe. Please start again from the leads.',
  startAgain: 'Go to the leads',
  retrying: 'The page tries again by itself.',
  notSaved: (what: string) => `${what} was not saved`,
  somebody: 'Somebody',
  changedBy: (who: string, value: string) =>
    value
      ? `${who} changed it to “${value}” in the meantime.`
      : `${who} changed it in the meantime.`,
  entered: (value: string) => `You entered “${value}”.`,
} as const
