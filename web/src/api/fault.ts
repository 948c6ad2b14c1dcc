// What went wrong with a request, in words for people.
import type { Issue } from '@rapport/contract/errors'
import { words } from '../words/index.ts'

export class Fault extends Error {
  /** 0: the service could not be reached. */
  readonly status: number
  readonly issues: Issue[]
  /** The whole body of the response, where a route says more than an error. */
  readonly body: unknown

  constructor(status: number, issues: Issue[] = [], body: unknown = undefined) {
    super(sentence(status, issues))
    this.status = status
    this.issues = issues
    this.body = body
  }

  /** It may work when tried again as it is. */
  get isPassing(): boolean {
    return this.status === 0 || this.status === 503 || this.status === 429
  }
}

function sentence(status: number, [first]: Issue[]): string {
  if (first) return first.message
  const { faults } = words
  if (status === 0) return faults.unreachable
  if (status === 401) return faults.signedOut
  if (status === 403) return faults.forbidden
  if (status === 404) return faults.notFound
  if (status === 409) return faults.conflict
  if (status === 503 || status === 429) return faults.busy
  return faults.other
}

export async function readFault(response: Response): Promise<Fault> {
  const body = (await response.json().catch(() => undefined)) as { issues?: Issue[] } | undefined
  return new Fault(response.status, body?.issues ?? [], body)
}
