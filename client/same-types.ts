// The types of the package, which are written out, are those of the contract. A test compiles this after the build.
import type { Resources as Packed } from './dist/package/routes.js'
import type { Resources } from './src/routes.ts'

type Called<Method> = Method extends (...args: infer Args) => infer Reply
  ? { args: Args; reply: Awaited<Reply> }
  : never
type Unless<Fits, To, Name> = [Fits] extends [To] ? never : Name

/** The source takes numbers in every part of a query, the package where they make sense. */
type Different = {
  [Name in keyof Resources]: {
    [Key in keyof Resources[Name] & keyof Packed[Name] & string]: Compared<
      Called<Resources[Name][Key]>,
      Called<Packed[Name][Key]>,
      `${Name}.${Key}`
    >
  }[keyof Resources[Name] & keyof Packed[Name] & string]
}[keyof Resources]
type Compared<
  Here extends { args: unknown; reply: unknown },
  There extends { args: unknown; reply: unknown },
  Name extends string,
> =
  | Unless<There['args'], Here['args'], `${Name} takes more`>
  | Unless<Here['reply'], There['reply'], `${Name} returns more`>
  | Unless<There['reply'], Here['reply'], `${Name} returns less`>

type Lacking = {
  [Name in keyof Resources]: Exclude<keyof Resources[Name], keyof Packed[Name]>
}[keyof Resources]

export const nothing: { [Name in Different | Lacking]: never } = {}
