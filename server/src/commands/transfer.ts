// What import and export share.
import { UsageError } from './command.ts'

export function oneOf<const T extends string>(
  option: string,
  values: readonly T[],
  text: string | undefined,
): T | undefined {
  if (text === undefined) return undefined
  const found = values.find((value) => value === text.toLowerCase())
  if (!found) throw new UsageError(`${option} must be one of ${values.join(', ')}, not "${text}".`)
  return found
}
