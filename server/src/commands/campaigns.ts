import { isUtf8 } from 'node:buffer'
import { readFile } from 'node:fs/promises'
import type { Pool } from '../db/driver.ts'
import { selectCampaignSizes } from '../resources/campaigns/campaigns.import.sql.ts'
import {
  CampaignFileError,
  type CampaignImportResult,
  importCampaigns,
} from '../resources/campaigns/campaigns.import.ts'
import { countCampaigns, selectCampaigns } from '../resources/campaigns/campaigns.sql.ts'
import { counted } from '../words.ts'
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
import { nextCommand } from './next-command.ts'

/** How many problems are printed. More would not help the user. */
const maxFaults = 20

export const campaigns = command({
  summary: 'Import campaigns from a file and list them',
  help: `Usage: npm run rapport -- campaigns import <file.json> [--space <name|id>] [--json]
       npm run rapport -- campaigns list [--space <name|id>] [--json]

Over HTTP, campaigns are read-only; this command imports them. The file is JSON, like
docs/examples/campaigns-with-leads.json:

  { "campaigns": [ {
      "name": "Spring outreach",                      required; everything else is optional
      "steps": [ { "name": "Introduction", "subject": "…", "body": "…", "delay_days": 0 } ],
      "leads": [ { "lead": "ada@example.com",         the email or the id of a lead
                   "steps": [ { "step": "Introduction", "status": ["is_sent", "is_opened"] } ] } ]
  } ] }

An existing campaign is found by its "id" or, without an id, by its name. The same goes
for a step in its campaign. Fields that you leave out keep their value. An import adds and
changes records but never removes any. Importing the same file again changes nothing. If
the file has an error anywhere, nothing is imported.

A campaign may also have: id, status (RUNNING), icon, days (1,2,3,4,5; Monday is 1),
timezone (UTC), start_date, end_date, created_at (date-times), start_hour, start_min,
end_hour, end_min, time_between_send (minutes), unsubscribe_link,
stop_sending_after_reply, stop_sending_after_bounce, track_open_rate, job_id,
id_email_group, id_email_alias. The status of a step for a lead: is_sent,
is_delivered, is_opened, is_clicked, is_replied, is_bounced, is_unsubscribed.`,
  options: {
    space: anySpace,
    json,
  },

  async run({ values, positionals }, config) {
    const [word, file, ...more] = positionals
    const action = actionOf(word, ['import', 'list'])
    requireNoMore(action === 'list' ? positionals.slice(1) : more)
    switch (action) {
      case 'import': {
        const name = required(file, 'the file to import')
        const source = await readText(name)
        const result = await withDatabase(config, async (pool) => {
          const space = await chooseSpace(pool, values.space)
          return importCampaigns(pool, space.id_space, source, new Date()).catch((error) => {
            if (!(error instanceof CampaignFileError)) throw error
            throw new CommandError(tell(name, error, space))
          })
        })
        return console.log(values.json ? JSON.stringify(result) : summary(result))
      }
      case 'list': {
        const rows = await withDatabase(config, async (pool) =>
          listCampaigns(pool, (await chooseSpace(pool, values.space)).id_space),
        )
        return print(rows, values.json, ['id', 'name', 'status', 'steps', 'leads', 'created_at'])
      }
    }
  },
})

async function readText(file: string): Promise<string> {
  const bytes = await readFile(file).catch((error) => {
    if (error.code === 'ENOENT') {
      throw new CommandError(`No file ${file} in ${process.cwd()}.`)
    }
    throw new CommandError(`Cannot read ${file}: ${error.message}`)
  })
  if (!isUtf8(bytes)) throw new CommandError(`${file} is not valid UTF-8.`)
  // Some editors write a byte order mark before the first character.
  return bytes.toString().replace(/^\ufeff/, '')
}

async function listCampaigns(pool: Pool, space: string) {
  const [rows, sizes] = await Promise.all([
    selectCampaigns(pool, space, await countCampaigns(pool, space), 0),
    selectCampaignSizes(pool, space),
  ])
  const sizeOf = new Map(sizes.map((size) => [size.id, size]))
  return rows.map((row) => ({ ...row, ...sizeOf.get(row.id) }))
}

function tell(file: string, { faults }: CampaignFileError, { ref }: ChosenSpace): string {
  const lines = faults
    .slice(0, maxFaults)
    .map(({ line, field, message }) => `${file}, line ${line}: ${field && `${field}: `}${message}`)
  const rest = faults.length - lines.length
  if (rest > 0) lines.push(`… and ${rest} more`)
  lines.push('Nothing was imported.')
  if (faults.some(({ isUnknownRecord }) => isUnknownRecord)) {
    const next = nextCommand('import', 'leads', 'leads.csv', '--space', ref)
    lines.push(`Import the leads first, for example: ${next}`)
  }
  return lines.join('\n')
}

function summary({ campaigns, steps, leads, states }: CampaignImportResult): string {
  if ([campaigns, steps, leads, states].every(({ written }) => written === 0)) {
    const are = campaigns.unchanged === 1 ? 'is' : 'are'
    return `Nothing changed: ${counted(campaigns.unchanged, 'campaign')} ${are} already up to date.`
  }
  const isAnyOld = [campaigns, steps, leads, states].some(({ unchanged }) => unchanged > 0)
  return [
    `Written: ${inWords('written')}.`,
    ...(isAnyOld ? [`Unchanged: ${inWords('unchanged')}.`] : []),
  ].join('\n')

  function inWords(kind: 'written' | 'unchanged'): string {
    return [
      counted(campaigns[kind], 'campaign'),
      counted(steps[kind], 'step'),
      counted(leads[kind], 'lead in campaigns', 'leads in campaigns'),
      counted(states[kind], 'state of leads', 'states of leads'),
    ].join(', ')
  }
}
