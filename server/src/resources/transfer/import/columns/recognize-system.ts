// Which system a file comes from, and which of its columns has the ids of that system.
import type { Surveyed } from './column.ts'
import { fieldOf, plain } from './headers.ts'
import { foreignIdColumn, recognize, type System } from './systems.ts'

/** The system that a file of these columns comes from. */
export function recognizeSystem(surveyed: Surveyed[]): System | undefined {
  const fields = new Set(
    surveyed.flatMap(({ header }) => {
      const known = fieldOf(header)?.known
      return known?.kind === 'field' ? [known.name as string] : []
    }),
  )
  // In some languages the first name is called a name.
  if (fields.has('last_name')) fields.add('first_name')
  const headers = surveyed.map(({ header }) => header)
  return recognize({
    headers,
    hasField: (name) => fields.has(name),
    isIdColumn(system) {
      const profile = surveyed[foreignIdColumn(system, headers) ?? -1]?.profile
      return system.cells !== undefined && profile?.isMostly(system.cells) === true
    },
    hasCells: (test) => surveyed.some(({ profile }) => profile.isMostly(test)),
  })
}

const idNames = new Set(['id', 'recordid', 'leadid', 'contactid', 'personid', 'externalid', 'uuid'])

/** The column with the id that the row has in another system. */
export function foreignColumn(
  surveyed: Surveyed[],
  system: System | undefined,
): number | undefined {
  if (system?.isOurs) return undefined
  const headers = surveyed.map(({ header }) => header)
  if (system?.id) {
    const { cells } = system
    const byCells = cells ? surveyed.findIndex(({ profile }) => profile.isMostly(cells)) : -1
    const byName = foreignIdColumn(system, headers)
    if (byName !== undefined) return byName
    if (byCells >= 0) return byCells
    // In a language that is not known here: the first column, when it is called an id.
    return !cells && /(^|[^\p{L}])id([^\p{L}]|$)/iu.test(headers[0] ?? '') ? 0 : undefined
  }
  if (system) return undefined
  const index = headers.findIndex((header) => idNames.has(plain(header)))
  const profile = surveyed[index]?.profile
  if (!profile || profile.count === 0) return undefined
  // Our own ids are UUIDs in a column that is called id.
  return plain(headers[index] ?? '') === 'id' && profile.share('uuid') > 0 ? undefined : index
}
