export const faults = {
  unreachable: 'Can’t reach the server.',
  signedOut: 'You’re signed out.',
  forbidden: 'You don’t have permission to do this.',
  notFound: 'This no longer exists.',
  conflict: 'This has changed since you opened it.',
  busy: 'The server is busy. Try again in a moment.',
  other: 'Something went wrong. Try again.',
  broken: 'Something went wrong on this page',
  brokenText: 'Your saved work is safe. Start again from the leads.',
  startAgain: 'Go to leads',
  leaveUnsaved: 'Leave without saving? What you typed will be lost.',
  retrying: 'Retrying automatically.',
  notSaved: (what: string) => `Couldn’t save ${what}`,
  somebody: 'Someone',
  changedBy: (who: string, value: string) =>
    value ? `${who} has since changed it to “${value}”.` : `${who} has since changed it.`,
  entered: (value: string) => `You entered “${value}”.`,
} as const
