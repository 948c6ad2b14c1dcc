// A statement whose text is built once and sent often: building and hashing a long text for each request
// costs more than the rest of the request.
import type { Db } from './driver.ts'
import { flattenText, type Sql } from './sql.ts'

/** The place of a value that differs from call to call. The same slot is one parameter, however often. */
export class Slot<Input> {
  readonly read: (input: Input) => unknown

  constructor(read: (input: Input) => unknown) {
    this.read = read
  }
}

export interface Statement<Input> {
  text: string
  parameters: Slot<Input>[]
}

/** The piece may hold slots and values that are the same in each call. */
export function statement<Input>({ strings, values }: Sql): Statement<Input> {
  const numbers = new Map<unknown, number>()
  const parameters: Slot<Input>[] = []
  const places = values.map((value) => {
    const known = value instanceof Slot ? numbers.get(value) : undefined
    if (known !== undefined) return known
    const number = parameters.push(value instanceof Slot ? value : new Slot(() => value))
    numbers.set(value, number)
    return number
  })
  const text = strings.reduce((text, part, index) => `${text}$${places[index - 1]}${part}`)
  return { text: flattenText(text), parameters }
}

export function runStatement<T extends object[], Input>(
  db: Db,
  { text, parameters }: Statement<Input>,
  input: Input,
) {
  const values = parameters.map(({ read }) => read(input))
  return db.unsafe<T>(text, values as never[], { prepare: true })
}
