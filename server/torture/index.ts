// The tortures, written out, in the order in which they run.
import type { Torture } from './torture.ts'

export const tortures: Torture[] = []
