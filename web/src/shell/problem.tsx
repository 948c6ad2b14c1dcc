import { reasonOf } from '../api/fault.ts'
import { Button } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'
import { words } from '../words.ts'

/** The page cannot begin: the service is away, for example. */
export function Problem({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <main>
      <Empty title={reasonOf(error)} text={words.faults.retrying}>
        <Button onClick={onRetry}>{words.actions.retry}</Button>
      </Empty>
    </main>
  )
}
