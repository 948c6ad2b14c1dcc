import { ApiError } from '@rapport/contract/errors'
import type { Operation } from '@rapport/contract/operations'
import type { Config } from '../config.ts'
import { type Db, type Pool, transaction } from '../db/driver.ts'
import { authorOf } from '../feed/author.ts'
import { isId } from '../ids.ts'
import { toOperation } from '../resources/operations/state.ts'
import {
  type OperationRow,
  selectOperation,
  selectOperations,
} from '../resources/operations/store/operation.sql.ts'
import { requireUndoable, undoOperation } from '../resources/operations/undo.ts'
import { counted, printable } from '../words.ts'
import { checkedLimit } from './checks.ts'
import { anySpace, type ChosenSpace, chooseSpace } from './choose-space.ts'
import {
  actionOf,
  CommandError,
  command,
  json,
  print,
  required,
  requireNoMore,
  withDatabase,
} from './command.ts'
import { confirm } from './confirm.ts'
import { effectOfUndo, resultOfUndo, stateInWords, whatWasDone } from './describe-operation.ts'
import { openNames } from './member-names.ts'
import { nextCommand } from './next-command.ts'

export const operations = command({
  summary: 'List bulk changes and imports, and undo them',
  help: `Usage: npm run rapport -- operations list [--space <name|id>] [--limit <n>] [--json]
       npm run rapport -- operations show <id> [--space <name|id>] [--json]
       npm run rapport -- operations undo <id> [--space <name|id>] [--yes] [--json]

Operations are bulk changes, imports and undos, wherever they were started. "undo" restores
the values of each lead unless they have changed since. An undo can be undone too. The old
values are kept for UNDO_KEEP days.`,
  options: {
    '<id>': 'the id of an operation (see: operations list)',
    space: anySpace,
    limit: '<n> number of operations, newest first (default: 50)',
    yes: 'undo without asking, for scripts',
    json,
  },

  async run({ values, positionals }, config) {
    const limit = checkedLimit(values.limit)
    const [word, given, ...more] = positionals
    const action = actionOf(word, ['list', 'show', 'undo'])
    requireNoMore(action === 'list' ? positionals.slice(1) : more)
    const wanted = () => required(given, 'the id of the operation (see: operations list)')
    switch (action) {
      case 'list':
        return list(config, values.space, limit, values.json)
      case 'show':
        return show(config, values.space, wanted(), values.json)
      case 'undo':
        return undo(config, values.space, wanted(), values)
    }
  },
})

async function list(
  config: Config,
  givenSpace: string | undefined,
  limit: number,
  json: boolean | undefined,
): Promise<void> {
  const rows = await withDatabase(config, async (pool) => {
    const { id_space } = await chooseSpace(pool, givenSpace)
    const found = await selectOperations(pool, id_space, { after: undefined, limit })
    const all = found.map((row) => toOperation(row, new Date(), config.undoKeepMs))
    if (json) return all
    const nameOf = openNames(pool, id_space)
    return Promise.all(
      all.map(async (operation) => ({
        id: operation.id,
        at: operation.created_at,
        who: printable(await nameOf(operation.actor)),
        what: whatWasDone(operation),
        leads: operation.changed,
        state: stateInWords(operation),
        undoable_until: operation.undoable_until,
      })),
    )
  })
  print(rows, json, ['id', 'at', 'who', 'what', 'leads', 'state', 'undoable_until'])
}

async function show(
  config: Config,
  givenSpace: string | undefined,
  given: string,
  json: boolean | undefined,
): Promise<void> {
  const lines = await withDatabase(config, async (pool) => {
    const space = await chooseSpace(pool, givenSpace)
    const operation = toOperation(
      await findOperation(pool, space, given),
      new Date(),
      config.undoKeepMs,
    )
    return json ? JSON.stringify(operation) : describe(pool, space, operation)
  })
  console.log(lines)
}

async function describe(db: Db, space: ChosenSpace, operation: Operation): Promise<string> {
  const { id, count, changed, actor, filter, data, created_at, done_at, undo_of } = operation
  const { undone_by } = operation
  const undo = undone_by ? await selectOperation(db, space.id_space, undone_by) : undefined
  const asJson = (value: object | null) => value && printable(JSON.stringify(value))
  const facts: [name: string, value: string | null][] = [
    ['operation', id],
    ['what', whatWasDone(operation)],
    ['leads', `${changed.toLocaleString('en')} changed of ${count.toLocaleString('en')} selected`],
    ['who', printable(await openNames(db, space.id_space)(actor))],
    ['began', created_at],
    ['ended', done_at],
    ['state', stateInWords(operation)],
    ['error', operation.error && printable(operation.error)],
    ['filter', asJson(filter)],
    ['data', asJson(data)],
    ['undo of', undo_of],
    ['result', operation.undone === undefined ? null : resultOfUndo(operation)],
    ['undone by', undone_by],
    ['result', undo ? resultOfUndo(toOperation(undo, new Date(), 0)) : null],
    ['undoable until', operation.undoable_until],
  ]
  return facts
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name.padEnd(16)}${value}`)
    .join('\n')
}

async function undo(
  config: Config,
  givenSpace: string | undefined,
  given: string,
  options: { yes?: boolean | undefined; json?: boolean | undefined },
): Promise<void> {
  const done = await withDatabase(config, async (pool) => {
    const space = await chooseSpace(pool, givenSpace)
    await ask(pool, config, space, given, options)
    const by = authorOf('command', space.id_space, new Date())
    const id = await transaction(pool, (tx) => undoOperation(tx, by, given, config.undoKeepMs))
    const row = await findOperation(pool, space, id)
    return { space, operation: toOperation(row, new Date(), config.undoKeepMs) }
  }).catch((error) => {
    throw error instanceof ApiError ? new CommandError(`${error.issues[0]?.message}.`) : error
  })
  const { space, operation } = done
  if (options.json) return console.log(JSON.stringify(operation))
  console.log(resultOfUndo(operation))
  const words = ['operations', 'undo', operation.id, '--space', space.ref]
  console.log(`To undo this: ${nextCommand(...words)}`)
}

/** Says what the undo will do. An undo that is refused is not asked for. */
async function ask(
  pool: Pool,
  config: Config,
  space: ChosenSpace,
  given: string,
  options: { yes?: boolean | undefined; json?: boolean | undefined },
): Promise<void> {
  const row = await findOperation(pool, space, given)
  const now = new Date()
  requireUndoable(row, now, config.undoKeepMs)
  const operation = toOperation(row, now, config.undoKeepMs)
  const who = printable(await openNames(pool, space.id_space)(operation.actor))
  const when = operation.created_at.slice(0, 16).replace('T', ' ')
  const what = `${when}, ${who}: ${counted(operation.changed, 'lead')} ${whatWasDone(operation)}.`
  const command = nextCommand('operations', 'undo', given, '--space', space.ref)
  await confirm(`${what}\n${effectOfUndo(operation)}`, 'Undo it?', command, options)
}

async function findOperation(db: Db, space: ChosenSpace, id: string): Promise<OperationRow> {
  const operation = isId(id) ? await selectOperation(db, space.id_space, id) : undefined
  if (operation) return operation
  const words = ['operations', 'list', '--space', space.ref]
  throw new CommandError(
    `No operation "${id}" in the workspace "${space.name}". See: ${nextCommand(...words)}`,
  )
}
