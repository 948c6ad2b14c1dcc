import { words } from '../words/index.ts'

/** Why something failed, in words for people. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : words.faults.other
}
