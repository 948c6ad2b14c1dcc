import { useState } from 'react'
import { reasonOf } from './reason.ts'
import { tellFault } from './toast.tsx'

/** One thing at a time that may be refused: whether it is under way, and why the last one was refused. */
export function useAttempt(describe: (error: unknown) => string = reasonOf, first = '') {
  const [fault, setFault] = useState(first)
  const [isBusy, setBusy] = useState(false)
  const attempt = async (work: () => Promise<unknown>) => {
    if (isBusy) return
    setBusy(true)
    setFault('')
    try {
      await work()
    } catch (error) {
      setFault(describe(error))
    }
    setBusy(false)
  }
  return { fault, setFault, isBusy, attempt }
}

/** Returns whether it worked. If not, a notice says `failed`, and why. */
export async function orTell(failed: string, work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    tellFault(failed, error)
    return false
  }
}
