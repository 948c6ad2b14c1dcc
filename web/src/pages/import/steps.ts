// The steps of the import. The address names the step, so that Back goes to the previous one.
import { useLocation } from 'wouter'
import type { Wizard } from './wizard.ts'

export const steps = ['file', 'columns', 'values', 'check', 'result'] as const
export type Step = (typeof steps)[number]

const path = '/import'

export const addressOf = (step: Step) => (step === 'file' ? path : `${path}?step=${step}`)

/** A link to a step without its file shows the first one: a browser cannot keep a file in an address. */
export function stepOf(search: string, { found, checked, result, unknown }: Wizard): Step {
  const wanted = new URLSearchParams(search).get('step')
  if (wanted === 'result' && result) return 'result'
  if (wanted === 'check' && checked) return 'check'
  if (wanted === 'values' && unknown.length > 0) return 'values'
  return found && wanted !== null && wanted !== 'result' ? 'columns' : 'file'
}

/** Goes to a step, unless the person has left the import for another page in the meantime. */
export function useGoTo(): (step: Step) => void {
  const [, navigate] = useLocation()
  return (step) => {
    if (window.location.pathname === path) navigate(addressOf(step))
  }
}
