import { Component, type ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'
import { reasonOf } from '../ui/reason.ts'
import { words } from '../words/index.ts'

/** The page cannot begin: the service is unavailable, for example. */
export function Problem({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <main>
      <Empty title={reasonOf(error)} text={words.faults.retrying}>
        <Button onClick={onRetry}>{words.actions.retry}</Button>
      </Empty>
    </main>
  )
}

/** A fault of the page itself takes down one page, not the navigation. */
export class Boundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state = { error: undefined as unknown }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override render() {
    if (this.state.error === undefined) return this.props.children
    return (
      <Empty title={words.faults.broken} text={words.faults.brokenText}>
        <Button onClick={() => window.location.assign('/leads')}>{words.faults.startAgain}</Button>
      </Empty>
    )
  }
}
