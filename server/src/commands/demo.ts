import type { Config } from '../config.ts'
import { buildDemo, DemoError, type DemoResult, HasLeads } from '../demo/demo.ts'
import { counted } from '../words.ts'
import { addressOf, runningAddress } from './address.ts'
import { type ChosenSpace, chooseSpace } from './choose-space.ts'
import { CommandError, command, json, requireNoMore, UsageError, withDatabase } from './command.ts'
import { untilInterrupted } from './interrupt.ts'
import { nextCommand, startCommand } from './next-command.ts'
import { showProgress } from './progress.ts'

const maxLeads = 1_000_000
const maxDuplicates = 50
const maxSeed = 2 ** 32 - 1

export const demo = command({
  summary: 'Fill a workspace with realistic sample data',
  help: `Usage: npm run rapport -- demo [--leads <n>] [--space <name|id>] [options]

Creates a workspace "Demo" with a team of five and a key, and fills it with lists with
pipelines, companies and people from many countries, tags, an attribute of every type,
notes, reminders and campaigns. All email addresses end in .example, so no mail can reach a
real person.

The command is one transaction. If you stop it with Ctrl-C, it leaves nothing behind.`,
  options: {
    leads: `<n> number of leads, 1 to ${maxLeads.toLocaleString('en')} (default: 1000)`,
    space:
      '<name|id> fill this workspace instead of a new one (see: spaces list); its members become the owners of the leads, and no key is created',
    add: 'add leads even if the workspace already has some; existing lists, tags, attributes and campaigns with the same names are used',
    duplicates: `<n> percentage of people to create twice, the second time spelled differently, 0 to ${maxDuplicates} (default: 0)`,
    seed: '<n> the same number creates the same data, a different one different data (default: 1)',
    json,
  },

  async run({ values, positionals }, config) {
    requireNoMore(positionals)
    if (values.add && values.space === undefined) throw new UsageError('--add requires --space.')
    if (values.space === '') throw new UsageError('--space requires the name or id of a workspace.')
    const leads = wholeNumber('--leads', values.leads ?? '1000', 1, maxLeads)
    const duplicates = wholeNumber('--duplicates', values.duplicates ?? '0', 0, maxDuplicates)
    const seed = wholeNumber('--seed', values.seed ?? '1', 0, maxSeed)
    const { add } = values

    const started = Date.now()
    const { result, address } = await withDatabase(config, (pool) =>
      untilInterrupted(async (signal) => {
        const chosen =
          values.space === undefined ? undefined : await chooseSpace(pool, values.space)
        const space = chosen?.id_space
        const progress = showProgress('leads', leads)
        try {
          const onProgress = progress.at
          const now = new Date()
          const order = { leads, duplicates, seed, now, space, add, onProgress, signal }
          const result = await buildDemo(pool, order).catch((error) => {
            throw chosen && error instanceof HasLeads ? hasLeads(error, chosen, leads) : error
          })
          return { result, address: await runningAddress(pool) }
        } finally {
          progress.end()
        }
      }),
    ).catch((error) => {
      throw error instanceof DemoError ? new CommandError(error.message) : error
    })
    const seconds = (Date.now() - started) / 1_000
    console.log(values.json ? JSON.stringify(result) : summary(result, seconds, config, address))
  },
})

function wholeNumber(option: string, text: string, min: number, max: number): number {
  const value = Number(text)
  if (!/^\d+$/.test(text) || value < min || value > max) {
    throw new UsageError(`${option} must be a whole number from ${min} to ${max}, not "${text}".`)
  }
  return value
}

function hasLeads({ leads: before }: HasLeads, { name, ref }: ChosenSpace, leads: number) {
  const next = nextCommand('demo', '--space', ref, '--leads', String(leads), '--add')
  return new CommandError(
    `The workspace "${name}" already has ${counted(before, 'lead')}. To add more: ${next}`,
  )
}

function summary(
  { id_space, workspace, key, rows }: DemoResult,
  seconds: number,
  config: Config,
  running: string | undefined,
): string {
  const parts = [
    [rows.lead, 'lead', 'leads'],
    [rows.lead_list, 'lead in lists', 'leads in lists'],
    [rows.lead_status, 'status of leads', 'statuses of leads'],
    [rows.lead_tag, 'tag of leads', 'tags of leads'],
    [rows.note, 'note', 'notes'],
    [rows.reminder, 'reminder', 'reminders'],
    [rows.lead_campaign, 'lead in campaigns', 'leads in campaigns'],
    [rows.lead_step, 'mail sent', 'mails sent'],
  ] as const
  const address = `${running ?? addressOf(config)}/rest`
  const lines = [
    `Workspace "${workspace}" (${id_space}), filled in ${seconds.toFixed(1)} s:`,
    '',
    ...parts.map(
      ([count, one, many]) =>
        `  ${count.toLocaleString('en').padStart(11)} ${count === 1 ? one : many}`,
    ),
    '',
  ]
  if (key === null) {
    lines.push(
      'Use a key of the workspace, or create one:',
      '',
      `  ${nextCommand('keys', 'create', '--space', id_space)}`,
    )
  } else {
    lines.push(`API key (shown only once): ${key}`)
  }
  const shownKey = key ?? '<key>'
  return [
    ...lines,
    '',
    running ? 'Try it:' : `Try it while the service is running (${startCommand()}):`,
    '',
    `  curl -H 'X-API-KEY: ${shownKey}' ${address}/lists`,
    `  curl -H 'X-API-KEY: ${shownKey}' -H 'Content-Type: application/json' \\`,
    `    -d '{"filter": {"search": "müller"}, "pagination": {"page_size": 3}}' ${address}/leads/list`,
  ].join('\n')
}
