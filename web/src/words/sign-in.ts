import { shortestPassword } from '@rapport/contract/sign-in'

export const signIn = {
  title: 'Sign in',
  again: 'Sign in again',
  againText: 'Your session has ended. Nothing you typed is lost.',
  email: 'Email',
  password: 'Password',
  newPassword: 'New password',
  currentPassword: 'Current password',
  name: 'Your name',
  submit: 'Sign in',
  working: 'One moment…',
  openId: (name: string) => `Continue with ${name}`,
  or: 'or',
  welcome: (name: string) => `Welcome, ${name}`,
  linkText: (workspace: string) => `This link signs you in to ${workspace}. It works once.`,
  continue: 'Continue',
  invitation: (workspace: string) => `Join ${workspace}`,
  invitationText: (email: string) =>
    `You’ve been invited as ${email}. Choose a name and a password.`,
  join: 'Join',
  reset: 'Choose a new password',
  resetText: (email: string) => `For ${email}.`,
  setPassword: 'Set password',
  passwordHint: `At least ${shortestPassword} characters`,
  badLink: 'This link no longer works',
  badLinkText: 'Links work once and expire. Ask for a new one, or create one on the server:',
  signInInstead: 'Sign in another way',
  wrong: 'Incorrect email or password.',
  tooMany: 'Too many attempts. Try again later.',
  noPassword:
    'No one here has a password yet. Create a sign-in link on the server and open it in this browser:',
  command: 'npm run rapport -- sign-in',
  anyone: 'you@example.com',
  forgot: 'Forgot your password?',
  forgotText:
    'Ask an owner or admin of your workspace for a new sign-in link (Settings → Members). On the server, this command prints one:',
  errors: {
    refused:
      'Sign-in was refused. If you aren’t a member yet, ask an admin to invite you by email.',
    expired: 'Sign-in took too long. Try again.',
  } as Record<string, string>,
  chooseSpace: 'Choose a workspace',
  invited: 'Invitation',
  signInAgain: 'Sign in again',
  thisOne: 'this browser',
  lastUsed: (when: string) => `last used ${when}`,
  end: 'End',
  endFailed: 'Couldn’t end the session',
  refused: (count: number) =>
    `${count} failed sign-in ${count === 1 ? 'attempt' : 'attempts'} since your last sign-in`,
  refusedLast: (address: string, when: string) =>
    `The last one came from ${address} on ${when}. If it wasn’t you, change your password.`,
  confirm: {
    title: 'Confirm it’s you',
    text: 'This requires a recent sign-in. Nothing you typed is lost.',
    submit: 'Confirm',
  },
  elsewhere: {
    link: 'You don’t have a password yet. Ask an admin for a sign-in link, or create one on the server. Open it in this browser, then continue here:',
    openId: 'Sign in again in a new tab, then continue here:',
  },
  changePassword: 'Change password',
  unknownDevice: 'Unknown device',
} as const
