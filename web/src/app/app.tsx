// Which page is shown: signing in, or the workspace.
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import { Redirect, Route, Router, Switch } from 'wouter'
import { keepOrigin } from '../addresses/origin.ts'
import { onSignedOut, setAsker } from '../api/call.ts'
import { client } from '../api/client.ts'
import { Fault } from '../api/fault.ts'
import { meQuery } from '../api/session.ts'
import { useKeyboard } from '../frame/commands.ts'
import { PageSkeleton } from '../frame/page-skeleton.tsx'
import { LeadsPage } from '../pages/leads/leads-page.tsx'
import { takeLink } from '../pages/sign-in/link.ts'
import { useTellRefused } from '../pages/sign-in/tell-refused.ts'
import { Toasts } from '../ui/toast.tsx'
import { useOnePerson } from './one-person.ts'
import { places } from './places.ts'
import { Boundary, Problem } from './problem.tsx'
import { useSettle } from './settle.ts'
import { Shell } from './shell.tsx'

const SignIn = lazy(() => import('../pages/sign-in/sign-in.tsx'))
const ConfirmPerson = lazy(() => import('../pages/sign-in/confirm-person.tsx'))
const LeadPage = lazy(() => import('../pages/lead/lead-page.tsx'))
const Live = lazy(() => import('../parts/live/live.tsx'))

/** A link of a sign-in is in the address only until it is read. */
const firstLink = takeLink()

export function App() {
  const [link, setLink] = useState(firstLink)
  const [isSignedOut, setSignedOut] = useState(false)
  const [answer, setAnswer] = useState<(isConfirmed: boolean) => void>()
  const { data: me, error, isPending, refetch } = useQuery({ ...meQuery, enabled: !link })
  useKeyboard()
  useTellRefused(me)
  useSettle(me)
  useOnePerson(me)
  useEffect(() => onSignedOut(() => setSignedOut(true)), [])
  useEffect(() => setAsker(() => new Promise((resolve) => setAnswer(() => resolve))), [])
  useEffect(() => {
    const onHash = () => setLink((old) => takeLink() ?? old)
    window.addEventListener('hashchange', onHash)
    return () => window.removeEventListener('hashchange', onHash)
  }, [])

  const onSignedIn = () => {
    setLink(undefined)
    setSignedOut(false)
    // Looking at a link or a step again would say that it is over.
    const isOver = ([name]: readonly unknown[]) => name === 'link' || name === 'step'
    void client.invalidateQueries({ predicate: ({ queryKey }) => !isOver(queryKey) })
    void refetch()
  }
  const mustSignIn = link !== undefined || (!me && error instanceof Fault && error.status === 401)
  return (
    <Router aroundNav={keepOrigin}>
      {mustSignIn ? (
        <Suspense fallback={null}>
          <SignIn link={link} onSignedIn={onSignedIn} />
        </Suspense>
      ) : me ? (
        <Shell>
          <Suspense fallback={<PageSkeleton />}>
            <Boundary>
              <Switch>
                <Route path="/leads" component={LeadsPage} />
                {places.map(({ path, page }) => (
                  <Route key={path} path={path} component={page} />
                ))}
                <Route path="/lead/:id">{({ id }) => <LeadPage key={id} id={id} />}</Route>
                <Route>
                  <Redirect to="/leads" replace />
                </Route>
              </Switch>
            </Boundary>
          </Suspense>
          <Suspense fallback={null}>{!isSignedOut && <Live />}</Suspense>
          {answer && (
            <Suspense fallback={null}>
              <ConfirmPerson
                onAnswer={(isConfirmed) => {
                  setAnswer(undefined)
                  answer(isConfirmed)
                }}
              />
            </Suspense>
          )}
          {isSignedOut && (
            // Over the page, so that nothing that was typed is lost.
            <Suspense fallback={null}>
              <SignIn link={undefined} onSignedIn={onSignedIn} over={me} />
            </Suspense>
          )}
        </Shell>
      ) : isPending ? (
        <PageSkeleton />
      ) : (
        <Problem error={error} onRetry={() => void refetch()} />
      )}
      <Toasts />
    </Router>
  )
}
