// Signing in and out. These routes are outside the REST API: only the page uses them.
import { send } from '../../api/call.ts'

export interface Ways {
  password: boolean
  passkey: boolean
  /** Links can be sent by mail. */
  mail: boolean
  /** `only`: there are no passwords. */
  openid: { name: string; only: boolean } | null
}

export interface SignedIn {
  id_space: string
  id: string
  workspaces: { id_space: string; name: string }[]
  /** Not signed in yet: this step is left. */
  next: 'verify' | 'enrol' | null
}

export interface LinkInfo {
  purpose: 'sign_in' | 'invitation' | 'reset'
  name: string
  email: string
  workspace: string
  expires_at: string
}

export interface Session {
  id: string
  device: string
  created_at: string
  last_used_at: string | null
  expires_at: string
  is_current: boolean
}

export const getWays = () => send<Ways>('GET /session/ways')
export const lookAtLink = (token: string) =>
  send<LinkInfo>('POST /session/link/look', { body: { token } })
export const spendLink = (body: { token: string; name?: string; password?: string }) =>
  send<SignedIn>('POST /session/link', { body })
export const requestLink = (body: { email: string; purpose: 'sign_in' | 'reset' }) =>
  send<string>('POST /session/link/mail', { body })
export const signIn = (body: { email: string; password: string; id_space?: string }) =>
  send<SignedIn>('POST /session/password', { body })
export interface WorkspaceChoice {
  id_space: string
  name: string
  is_invitation: boolean
}

export const listChoices = () => send<WorkspaceChoice[]>('GET /session/choice')
export const chooseWorkspace = (id_space: string) =>
  send<SignedIn>('POST /session/choice', { body: { id_space } })
export const listSessions = () => send<Session[]>('GET /session/list')
export const endSession = (id: string) => send<string>('DELETE /session/{id}', { id })
export const confirmPerson = (body: { password: string } | { code: string }) =>
  send<string>('POST /session/confirm', { body })
export const changePassword = (body: { current?: string; password: string }) =>
  send<string>('PATCH /session/password', { body })
