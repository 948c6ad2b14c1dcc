import { type KeyKind, keyKinds } from '@rapport/contract/duplicates.values'
import { ApiError } from '@rapport/contract/errors'
import type { BulkData } from '@rapport/contract/leads/bulk'
import { mergeRules, survivorRules } from '@rapport/contract/leads/merge.values'
import type { Config } from '../config.ts'
import type { Pool } from '../db/driver.ts'
import { logIfSlow } from '../db/log-if-slow.ts'
import { authorOf } from '../feed/author.ts'
import { finishKeys } from '../resources/leads/duplicates/build.ts'
import { duplicateCounts } from '../resources/leads/duplicates/counts.ts'
import { PreviewMoved, perform } from '../resources/operations/perform.ts'
import { lookAt, type Wanted } from '../resources/operations/preview.ts'
import { counted } from '../words.ts'
import { oneOf } from './checks.ts'
import { anySpace, chooseSpace } from './choose-space.ts'
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
import { nextCommand } from './next-command.ts'

export const duplicates = command({
  summary: 'Count leads that may be the same, and merge them',
  help: `Usage: npm run rapport -- duplicates list [--space <name|id>] [--json]
       npm run rapport -- duplicates merge --by <kind> [--keep <which>] [--rule <rule>] [--space <name|id>]
           [--yes] [--json]

"list" says how many groups of leads have something in common, by kind. "merge" makes one lead
of each group. This is an operation: "operations undo" undoes it.`,
  options: {
    by: `<kind> ${keyKinds.join(', ')}`,
    keep: `<which> the lead that stays: ${survivorRules.join(', ')} (default: oldest)`,
    rule: `<rule> where values differ, which one it gets: ${mergeRules.join(', ')} (default: survivor)`,
    space: anySpace,
    yes: 'merge without asking, for scripts',
    json,
  },

  async run({ values, positionals }, config) {
    const [word, ...more] = positionals
    requireNoMore(more)
    if (actionOf(word, ['list', 'merge']) === 'list') return list(config, values)
    const by = oneOf('--by', keyKinds, required(values.by, '--by'))
    const survivor = oneOf('--keep', survivorRules, values.keep) ?? 'oldest'
    const rule = oneOf('--rule', mergeRules, values.rule) ?? 'survivor'
    return merge(config, { by, survivor, rule }, values)
  },
})

interface Options {
  space?: string | undefined
  yes?: boolean | undefined
  json?: boolean | undefined
}

async function list(config: Config, { space: given, json }: Options): Promise<void> {
  const { counts } = await withDatabase(config, async (pool) => {
    const { id_space } = await chooseSpace(pool, given)
    await finish(pool, id_space)
    const clock = () => new Date()
    return duplicateCounts(pool, { space: id_space, clock, inBackground: () => {} })
  })
  const rows = keyKinds.map((kind) => ({ kind, groups: counts[kind] }))
  print(rows, json, ['kind', 'groups'])
}

/** No service may be running that makes the keys of an import. */
function finish(pool: Pool, space: string): Promise<void> {
  const what = () => 'Comparing leads that have not been compared yet…'
  return logIfSlow((line) => console.error(line), what, finishKeys(pool, space))
}

async function merge(
  config: Config,
  data: BulkData['merge'] & { by: KeyKind },
  options: Options,
): Promise<void> {
  const wanted: Wanted<'merge'> = { kind: 'merge', filter: {}, data }
  const done = await withDatabase(config, async (pool) => {
    const space = await chooseSpace(pool, options.space)
    const by = authorOf('command', space.id_space, new Date())
    await finish(pool, space.id_space)
    const { seen, groups = 0, merged = 0, skipped = 0 } = await lookAt(pool, by, wanted)
    const left = skipped > 0 ? ` ${counted(skipped, 'group')} skipped.` : ''
    const effect = `${counted(groups, 'group')} by ${data.by}: ${counted(merged, 'lead')} would become part of others.${left}`
    if (groups === 0) return { space, effect, groups, merged, skipped }
    const flags = ['--by', data.by, '--keep', data.survivor, '--rule', data.rule ?? 'survivor']
    const command = nextCommand('duplicates', 'merge', ...flags, '--space', space.ref)
    await confirm(effect, 'Merge them?', command, options)
    const operation = await perform(pool, by, wanted, seen)
    return { space, operation, effect, groups, merged, skipped }
  }).catch((error) => {
    if (error instanceof PreviewMoved) throw new CommandError(error.message)
    throw error instanceof ApiError ? new CommandError(`${error.issues[0]?.message}.`) : error
  })
  const { space, operation, effect, ...counts } = done
  if (options.json) {
    return console.log(JSON.stringify({ operation: operation ?? null, ...counts }))
  }
  if (!operation) return console.log(effect)
  console.log(`${counted(counts.merged, 'lead')} merged.`)
  console.log(`To undo this: ${nextCommand('operations', 'undo', operation, '--space', space.ref)}`)
}
