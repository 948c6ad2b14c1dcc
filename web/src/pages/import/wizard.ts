// The state of the import page. It is kept while the person is on other pages, so that a chosen file and the
// decisions about its columns are not lost.
import {
  type DuplicateWay,
  type Encoding,
  type onceWays,
  valueSigns,
} from '@rapport/contract/transfer.values'
import { useSyncExternalStore } from 'react'
import { call } from '../../api/call.ts'
import { client } from '../../api/client.ts'
import { Fault } from '../../api/fault.ts'
import { keepOpen } from '../../api/keep-open.ts'
import { setImporting } from '../../parts/bulk/importing.ts'
import { follow } from '../../parts/bulk/tray.tsx'
import { reasonOf } from '../../ui/reason.ts'
import { type Decided, sayDuplicates } from './decided-rows.ts'
import { Progress } from './progress.ts'
import { type ImportResult, sendFile } from './send-file.ts'

/** What happens to existing leads. */
export type Existing = 'create' | 'update' | 'skip'

export interface Choices extends Decided {
  /** By place, from 0: what a column becomes, if the person has chosen it. Headers may repeat. */
  fields: Readonly<Record<number, string>>
  /** Undefined: what fits the file. */
  existing: Existing | undefined
  /** By `valueKey`: what to do with values that the workspace does not have. */
  values: Readonly<Record<string, string>>
  /** How existing leads are found. */
  by: string
  dates: '' | 'dmy' | 'mdy' | 'ymd'
  decimal: '' | 'point' | 'comma'
  encoding: '' | Encoding
  separator: string
  /** Names, for every lead. */
  lists: readonly string[]
  tags: readonly string[]
  createCompanies: boolean
}

export interface Wizard {
  file?: File
  /** What was recognized. */
  found?: ImportResult
  choices: Choices
  fault: string
  /** Statuses and options that the workspace does not have. */
  unknown: readonly UnknownValue[]
  /** The dry run. */
  checked?: ImportResult
  result?: ImportResult
  /** It was interrupted after this many rows, and can continue. */
  stoppedAt?: number
}

const noChoices: Choices = {
  fields: {},
  existing: undefined,
  values: {},
  by: 'email',
  dates: '',
  decimal: '',
  encoding: '',
  separator: '',
  lists: [],
  tags: [],
  createCompanies: false,
  duplicates: 'create',
  duplicateRows: {},
}

const noWizard: Wizard = { choices: noChoices, fault: '', unknown: [] }
let wizard = noWizard
const listeners = new Set<() => void>()

function set(change: Partial<Wizard>): void {
  wizard = { ...wizard, ...change }
  for (const listener of listeners) listener()
}

export function useWizard(): Wizard {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => wizard,
  )
}

/** The earlier check no longer applies. */
export function decide(change: Partial<Choices>): void {
  const { checked: _, ...rest } = wizard
  wizard = rest
  // Another mapping has other values.
  const isOther = change.fields !== undefined || change.separator !== undefined
  const values = isOther ? {} : wizard.choices.values
  set({
    choices: { ...wizard.choices, values, ...change },
    fault: '',
    ...(isOther && { unknown: [] }),
  })
}

export function startOver(): void {
  wizard = noWizard
  set({})
}

export async function chooseFile(file: File): Promise<boolean> {
  startOver()
  set({ file })
  return recognize()
}

/** Reads the columns again, when the file is to be read in another way. */
export async function recognize(): Promise<boolean> {
  const found = await send({ columns_only: 'true' }, 'checking')
  if (found) set({ found })
  return found !== undefined
}

/** Returns what comes next: the values to decide about, or what the import will do. */
export async function check(): Promise<'values' | 'check' | undefined> {
  // Left empty at first, so that no row is rejected before all its values are known.
  const unknown = wizard.unknown.length === 0 ? { unknown: 'empty' } : undefined
  const checked = await send({ dry_run: 'true', ...unknown }, 'checking')
  if (!checked) return undefined
  const found = checked.unknown_values
  if (found.length === 0) {
    const alike = new Set(checked.duplicates.sample.map(({ row }) => row))
    const decided = Object.entries(wizard.choices.duplicateRows)
    const still = decided.filter(([row]) => alike.has(Number(row)))
    const duplicateRows = Object.fromEntries(still)
    set({ checked, choices: { ...wizard.choices, duplicateRows } })
    return 'check'
  }
  const proposed = found.map((value) => [valueKey(value), value.nearest?.id ?? valueSigns.create])
  const values = { ...wizard.choices.values, ...Object.fromEntries(proposed) }
  set({ unknown: [...wizard.unknown, ...found], choices: { ...wizard.choices, values } })
  return 'values'
}

/** The check was made as if all rows that look like leads were created: it stays what it is. */
export function decideDuplicates(duplicates: DuplicateWay): void {
  set({ choices: { ...wizard.choices, duplicates, duplicateRows: {} } })
}

export function decideDuplicate(row: number, way: DuplicateWay): void {
  const duplicateRows = { ...wizard.choices.duplicateRows, [row]: way }
  set({ choices: { ...wizard.choices, duplicateRows } })
}

export type UnknownValue = ImportResult['unknown_values'][number]

export const valueKey = ({ column, value }: UnknownValue) => `#${column}=${value}`

/** What a column becomes. */
export const fieldsOf = ({ found, choices }: Wizard): string[] =>
  found?.columns.map(({ field }, index) => choices.fields[index] ?? field ?? '-') ?? []

/** With email addresses in the file, the leads that have them are updated, unless somebody says otherwise. */
export const existingOf = (of: Wizard): Existing =>
  of.choices.existing ?? (fieldsOf(of).includes('email') ? 'update' : 'create')

export const importsKey = ['imports']

type Once = (typeof onceWays)[number]

export async function run(once: Once): Promise<boolean> {
  const { file } = wizard
  if (!file) return false
  const { stoppedAt: _, ...rest } = wizard
  wizard = rest
  const result = await keepOpen(send({ file: file.name }, 'importing', once))
  if (result) set({ result })
  const id = result?.id ?? (await interruptedId(file.name))
  // The tray can undo it, even when it was stopped.
  if (id) {
    follow({ id, change: 'import', name: file.name, count: 0 })
  }
  void client.invalidateQueries()
  return result !== undefined
}

/** The unfinished import of this file. */
async function interruptedId(name: string): Promise<string | undefined> {
  const imports = await call('GET /imports').catch(() => [])
  return imports.find(({ file, finished_at }) => file === name && finished_at === null)?.id
}

const tries = 5
const waitMs = 2_000

/** Sends the file. After a lost connection, it retries: the service continues where it stopped. */
async function send(
  what: Record<string, string>,
  phase: 'checking' | 'importing',
  once?: Once,
): Promise<ImportResult | undefined> {
  const { file, choices } = wizard
  if (!file) return undefined
  set({ fault: '' })
  const stop = new AbortController()
  const progress = new Progress(file, phase, () => stop.abort())
  setImporting(progress.start())
  let way = once
  try {
    for (let left = tries; ; left--) {
      try {
        const query = queryOf(choices, { ...what, ...(way && { once: way }) })
        const hear = (heard: Parameters<typeof progress.hear>[0]) =>
          setImporting(progress.hear(heard))
        return await sendFile(file, query, hear, stop.signal)
      } catch (error) {
        const isLost = error instanceof Fault && (error.isPassing || isStillRunning(error))
        if (stop.signal.aborted || !isLost || !once || left === 0) throw error
        setImporting(progress.wait())
        await new Promise((resolve) => setTimeout(resolve, waitMs))
        // It has begun: from here on it is the same import.
        if (progress.hasBegun) way = 'continue'
      }
    }
  } catch (error) {
    if (stop.signal.aborted) set({ ...(once && { stoppedAt: progress.done }) })
    else
      set({
        fault: reasonOf(error),
        ...(progress.hasBegun && once && { stoppedAt: progress.done }),
      })
    return undefined
  } finally {
    setImporting(undefined)
  }
}

/** The service has not noticed yet that the connection was lost. */
const isStillRunning = ({ issues }: Fault) => issues.some(({ code }) => code === 'import_running')

function queryOf(choices: Choices, what: Record<string, string>): URLSearchParams {
  const { fields, by, dates, decimal, encoding, separator, lists, tags } = choices
  const existing = existingOf(wizard)
  const query = new URLSearchParams({ ...what, progress: 'true' })
  // By place and not by header: the headers of a wide file are too long for an address.
  for (const [index, field] of Object.entries(fields)) {
    query.append('map', `#${Number(index) + 1}=${field}`)
  }
  for (const [key, to] of Object.entries(choices.values)) query.append('value', `${key}=>${to}`)
  for (const name of lists) query.append('list', name)
  for (const name of tags) query.append('tag', name)
  if (existing !== 'create') query.set('upsert_by', by)
  if (existing === 'skip') query.set('skip_existing', 'true')
  if (choices.createCompanies) query.set('create_companies', 'true')
  const alike = wizard.checked?.duplicates.sample.map(({ row }) => row) ?? []
  if (what.once) sayDuplicates(query, choices, alike)
  const rest = { dates, decimal, encoding, separator }
  for (const [name, value] of Object.entries(rest)) if (value) query.set(name, value)
  return query
}
