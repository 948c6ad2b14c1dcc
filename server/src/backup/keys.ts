// The API keys in a backup. A key that was revoked after the backup was made is valid in it, and nothing in
// the file can tell. So whoever restores it sees them all.
import type { CountedTable } from './format.ts'

export interface BackupKey {
  id: string
  hint: string
  name: string
  role: string
  /** The email address of the member it acts as. */
  member: string | null
  id_space: string
  workspace: string | null
  last_used_at: string | null
}

type Row = Record<string, string | null>

const read = ['api_key', 'member', 'space'] as const

/** Collects the rows of a backup that say which keys and workspaces it has. */
export function keyReader() {
  const found: Record<string, Row[]> = {}
  return {
    wants: ({ name }: CountedTable) => read.some((wanted) => wanted === name),
    /** `piece` is whole lines. */
    take(table: CountedTable, piece: Buffer): void {
      found[table.name] = [...(found[table.name] ?? []), ...rowsIn(table, piece)]
    },
    spaces: () =>
      (found.space ?? []).map(({ id_space, name }) => ({ id: id_space ?? '', name: name ?? '' })),
    /** Those that work at this time, as far as the backup knows. */
    keys(now: Date): BackupKey[] {
      const { api_key = [], member = [], space = [] } = found
      const members = new Map(member.map((row) => [`${row.id_space} ${row.id}`, row.email]))
      const spaces = new Map(space.map((row) => [row.id_space, row.name]))
      return api_key
        .filter((row) => row.kind !== 'session' && row.revoked_at === null)
        .filter(({ expires_at }) => !expires_at || new Date(expires_at) > now)
        .map((row) => ({
          ...{ id: row.id ?? '', hint: row.hint ?? '', name: row.name ?? '', role: row.role ?? '' },
          member: members.get(`${row.id_space} ${row.id_member}`) ?? null,
          id_space: row.id_space ?? '',
          workspace: spaces.get(row.id_space ?? '') ?? null,
          last_used_at: row.last_used_at ? new Date(row.last_used_at).toISOString() : null,
        }))
    },
  }
}

/** Lines in the text format of COPY. */
function rowsIn({ columns }: CountedTable, piece: Buffer): Row[] {
  const lines = piece.toString().split('\n').slice(0, -1)
  return lines.map((line) => {
    const values = line.split('\t').map(readValue)
    return Object.fromEntries(columns.map((column, index) => [column, values[index] ?? null]))
  })
}

const escapes: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }

function readValue(value: string): string | null {
  if (value === '\\N') return null
  return value.replace(/\\(.)/g, (_all, letter: string) => escapes[letter] ?? letter)
}
