// Links to sign in carry their token in the fragment: it reaches no server log and no Referer. The page
// takes it out of the address immediately.
export interface SignInLink {
  kind: 'sign-in' | 'invitation' | 'reset' | 'sign-in-error' | 'sign-in-choice' | 'sign-in-step'
  value: string
}

export function takeLink(): SignInLink | undefined {
  const match = /^#(sign-in(?:-error|-choice|-step)?|invitation|reset)=([\w.~-]+)$/.exec(
    window.location.hash,
  )
  if (!match) return undefined
  window.history.replaceState(null, '', window.location.pathname + window.location.search)
  return { kind: match[1] as SignInLink['kind'], value: match[2] ?? '' }
}
