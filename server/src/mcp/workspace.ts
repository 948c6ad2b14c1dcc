// The records that callers name: lists, statuses, tags, members and attributes. A wrong name is answered with the
// nearest.
import { contract } from '@rapport/contract'
import { ApiError, type Issue } from '@rapport/contract/errors'
import { leadRelations, perRelation, toldRelations } from '@rapport/contract/leads/relations'
import type { ReplyOf } from '@rapport/contract/route'
import { isId } from '../ids.ts'
import { nearest, plainName } from '../nearest.ts'
import type { Call } from './ask.ts'

const routes = {
  list: contract.lists.routes.list,
  status: contract.status.routes.list,
  tag: contract.tags.routes.list,
  member: contract.members.routes.list,
  attribute: contract.attributes.routes.list,
}

export type Kind = keyof typeof routes
/** The records that the relations of a lead name. */
export const kindsOfRelations = perRelation(toldRelations, (name) => leadRelations[name].record)

type Records = { [K in Kind]: ReplyOf<(typeof routes)[K]> }

export interface Workspace {
  /** All records of a kind, read once. */
  all<K extends Kind>(kind: K): Promise<Records[K]>
  /** The ids of all records with this name or id. Throws if there is none. */
  find(kind: Kind, given: string, path: Issue['path']): Promise<string[]>
  /** The id of the only record with this name or id. */
  one(kind: Kind, given: string, path: Issue['path']): Promise<string>
  /** The names of records, by their ids. */
  names(kind: Kind): Promise<Map<string, string>>
}

export function readWorkspace(call: Call): Workspace {
  const reading = new Map<Kind, Promise<unknown>>()
  let hints = 0

  function all<K extends Kind>(kind: K): Promise<Records[K]> {
    const known = reading.get(kind) ?? call(routes[kind])
    reading.set(kind, known)
    return known as Promise<Records[K]>
  }

  const naming = new Map<Kind, Promise<Candidate[]>>()
  function candidates(kind: Kind): Promise<Candidate[]> {
    const known = naming.get(kind) ?? readCandidates(kind)
    naming.set(kind, known)
    return known
  }
  async function readCandidates(kind: Kind): Promise<Candidate[]> {
    if (kind === 'member') {
      const members = await all('member')
      return members.map(({ id, name, email }) => candidate(id, name, email))
    }
    if (kind === 'attribute') {
      const attributes = await all('attribute')
      return attributes.map(({ id, name, slug }) => candidate(id, name, slug))
    }
    if (kind !== 'status') return (await all(kind)).map(({ id, name }) => candidate(id, name))
    const [statuses, lists] = await Promise.all([all('status'), namesOf('list')])
    return statuses.map(({ id, name, id_list }) => {
      const list = lists.get(id_list)
      return candidate(id, name, ...(list === undefined ? [] : [`${list} / ${name}`]))
    })
  }

  const namesOf = async (kind: Kind) =>
    new Map((await candidates(kind)).map(({ id, name }) => [id, name]))

  async function find(kind: Kind, given: string, path: Issue['path']): Promise<Candidate[]> {
    const known = await candidates(kind)
    const found = matching(known, given)
    if (found.length > 0) return found
    const wanted = plainName(given)
    const mayHint = wanted.length <= maxLength && hints++ < maxHints
    const names = mayHint ? known.flatMap(({ plainly }) => plainly) : []
    const meant = nearest(wanted, names)
    const name = known.find(({ plainly }) => plainly.some((one) => one === meant))?.name
    const hint = name === undefined ? '' : ` Did you mean ${quoted(name)}?`
    throw wrongName(path, `No ${kind} ${quoted(given)}.${hint}`)
  }

  return {
    all,
    names: namesOf,
    find: async (kind, given, path) => (await find(kind, given, path)).map(({ id }) => id),
    async one(kind, given, path) {
      const [first, ...more] = await find(kind, given, path)
      if (first && more.length === 0) return first.id
      const choices = [first, ...more].map((one) => `${quoted(one?.others[0] ?? '')} (${one?.id})`)
      throw wrongName(
        path,
        `${choices.length} of kind ${kind} are named ${quoted(given)}. Say which: ${choices.slice(0, 5).join(', ')}`,
      )
    },
  }
}

interface Candidate {
  id: string
  name: string
  /** What it is called, too: the email of a member, the list and name of a status. */
  others: string[]
  /** All of these, to be compared. */
  plainly: string[]
}

const candidate = (id: string, name: string, ...others: string[]): Candidate => ({
  ...{ id, name, others, plainly: [name, ...others].map(plainName) },
})

/** Answers have long names cut, with a … at the end. They are accepted so. */
function matching(known: Candidate[], given: string): Candidate[] {
  if (isId(given)) {
    const byId = known.find(({ id }) => id === given.toLowerCase())
    if (byId) return [byId]
  }
  const wanted = plainName(given)
  const start = /^(.+)…( \(cut: \d+ characters\))?$/s.exec(wanted)?.[1]
  const isMeant = (name: string) =>
    name === wanted || (start !== undefined && name.startsWith(start))
  const exact = known.filter(({ name }) => name === given)
  return exact.length > 0 ? exact : known.filter(({ plainly }) => plainly.some(isMeant))
}

/** Longer names get no hint: to compare two takes the time of their product. */
const maxLength = 40
/** In a call: fifty leads may have a wrong name each, and others wait while they are compared. */
const maxHints = 5

/** Quotes what people have written, in a message. */
export const quoted = (text: string) =>
  JSON.stringify(text.length > 60 ? `${text.slice(0, 59)}…` : text)

export const wrongName = (path: Issue['path'], message: string) =>
  new ApiError('BAD_REQUEST', [{ path, code: 'unknown_record', message }])
