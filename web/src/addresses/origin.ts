// Where the page of a lead was opened from. The entry of the history knows it: so a reload and Back keep it, and the
// address of a lead is the same for everyone.
import type { AroundNavHandler } from 'wouter'

interface State {
  from: string | undefined
}

/** Undefined: the address of the lead was opened directly. */
export const originNow = () => (window.history.state as State | null)?.from

/** For the router. */
export const keepOrigin: AroundNavHandler = (navigate, to, options) =>
  navigate(to, {
    ...options,
    state: isLead(to) ? ({ from: originOf(options) } satisfies State) : null,
  })

const isLead = (path: string) => path.startsWith('/lead/')

function originOf({ replace }: { replace?: boolean } = {}): string | undefined {
  const { pathname, search } = window.location
  if (isLead(pathname)) return originNow()
  // Nothing leads back to a page that is replaced.
  if (replace) return
  const query = new URLSearchParams(search)
  // The one next to the view.
  query.delete('lead')
  return query.size > 0 ? `${pathname}?${query}` : pathname
}
