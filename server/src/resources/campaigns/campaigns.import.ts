// Imports campaigns from a file. An import adds and changes campaigns. It removes nothing.
import { ApiError } from '@rapport/contract/errors'
import { lockSpace } from '../../access/access.sql.ts'
import { type Pool, transaction } from '../../db/driver.ts'
import { authorOf } from '../../feed/author.ts'
import { recordAlike, recordCreated, recordUpdated } from '../../feed/record.sql.ts'
import { validator } from '../../http/validate.ts'
import { type CampaignPlan, type Change, planImport } from './campaigns.import.plan.ts'
import { ImportFile } from './campaigns.import.schema.ts'
import { insertLeads, saveCampaign, saveStates, saveStep } from './campaigns.import.sql.ts'
import { type JsonDocument, JsonFault, readJson } from './json-lines.ts'

export interface Tally {
  written: number
  unchanged: number
}

export interface CampaignImportResult {
  campaigns: Tally
  steps: Tally
  /** Leads in a campaign. */
  leads: Tally
  /** The states of leads in steps: sent, opened, replied … */
  states: Tally
}

export interface ImportFault {
  line: number
  /** For example campaigns[0].steps[1].name. Empty for a fault of the whole file. */
  field: string
  message: string
  /** It names a record that the workspace does not have: such records are all leads. */
  isUnknownRecord?: boolean
}

/** The file cannot be imported. Nothing was written. */
export class CampaignFileError extends Error {
  readonly faults: ImportFault[]

  constructor(faults: ImportFault[]) {
    super('The file cannot be imported')
    this.faults = faults
  }
}

/** How many states one statement writes. */
const batchSize = 10_000
const check = validator(ImportFile)

export async function importCampaigns(
  pool: Pool,
  space: string,
  source: string,
  now: Date,
): Promise<CampaignImportResult> {
  const document = read(source)
  const by = authorOf('command', space, now)
  try {
    check(document.value)
    const file = document.value as ImportFile
    return await transaction(pool, async (tx) => {
      await lockSpace(tx, space)
      const plans = await planImport(tx, space, file, now)
      const result = { ...tallyOf(plans), leads: tally(0, 0), states: tally(0, 0) }
      for (const plan of plans) {
        const { campaign, change, steps, before, after, leads, states } = plan
        if (change !== 'same') await saveCampaign(tx, space, campaign, change === 'new')
        for (const { step, change } of steps) {
          if (change !== 'same') await saveStep(tx, space, step, change === 'new')
        }
        if (before) await recordUpdated(tx, by, 'campaign', before, after)
        else await recordCreated(tx, by, 'campaign', after)

        const added = await insertLeads(tx, space, campaign.id, leads)
        add(result.leads, leads.length, added.length)
        await recordAlike(tx, by, 'lead.updated', added, { campaigns: [[], [campaign.id]] })
        for (let at = 0; at < states.length; at += batchSize) {
          const batch = states.slice(at, at + batchSize)
          const saved = await saveStates(tx, space, batch, now)
          add(result.states, batch.length, saved.length)
          await recordAlike(tx, by, 'lead.updated', [...new Set(saved)])
        }
      }
      return result
    })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw new CampaignFileError(
      error.issues.map(({ path, code, message }) => ({
        line: document.lineOf(path),
        field: fieldOf(path),
        isUnknownRecord: code === 'unknown_record',
        message,
      })),
    )
  }
}

function read(source: string): JsonDocument {
  try {
    return readJson(source)
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error
    throw new CampaignFileError([{ line: error.line, field: '', message: error.message }])
  }
}

/** ["campaigns", 0, "name"] → campaigns[0].name */
function fieldOf(path: (string | number)[]): string {
  return path
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`))
    .join('')
    .replace(/^\./, '')
}

function tallyOf(plans: CampaignPlan[]) {
  const count = (changes: { change: Change }[]) => {
    const written = changes.filter(({ change }) => change !== 'same').length
    return tally(written, changes.length - written)
  }
  return { campaigns: count(plans), steps: count(plans.flatMap(({ steps }) => steps)) }
}

function tally(written: number, unchanged: number): Tally {
  return { written, unchanged }
}

function add(to: Tally, all: number, written: number): void {
  to.written += written
  to.unchanged += all - written
}
