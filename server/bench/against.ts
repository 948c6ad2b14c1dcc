// The same measurements on an older version of Rapport: what has become faster, and how much.
import { openAsSuperuser } from '../test/open-as-superuser.ts'
import { alone, bringBack, bulkOperations } from './bulk.ts'
import { type BenchData, forgetNewLeads } from './data.ts'
import { type FilterTime, timeFilters } from './filters.ts'
import type { Effort } from './http.ts'
import { rate } from './http.ts'
import { startService } from './processes.ts'
import { operations } from './requests.ts'

/** Each name with its figure: requests a second, or milliseconds. */
export interface Figures {
  rates: Map<string, number>
  bulk: Map<string, number>
  filters: FilterTime[]
}

export interface VersionPlan {
  effort: Effort
  bulkRounds: number
  filterRounds: number
}

/** `by` is the script that starts the version. Its data must have been made by the same version. */
export async function measureVersion(
  data: BenchData,
  { effort, bulkRounds, filterRounds }: VersionPlan,
  say: (line: string) => void,
  by?: string,
): Promise<Figures> {
  // First, because it migrates the data if there is need.
  const service = await startService(data, by)
  const database = await openAsSuperuser(
    { dataDir: data.dataDir, databaseUrl: data.databaseUrl, poolSize: 2 },
    () => {},
  )
  const db = database.pool
  try {
    await forgetNewLeads(db, data)
    await bringBack(db, data.workspace.id_space)
    const filters = await timeFilters(service, data, filterRounds, () => {})
    say('filters and orders done')
    const rates = new Map<string, number>()
    for (const operation of operations) {
      if (operation.target === undefined) continue
      rates.set(operation.name, await rate(db, data, operation, service, effort))
    }
    say('requests done')
    const bulk = new Map<string, number>()
    for (const each of bulkOperations(db, data, service)) {
      bulk.set(each.name, await alone(db, each, bulkRounds))
    }
    say('bulk changes done')
    return { rates, bulk, filters }
  } finally {
    await service.stop()
    await database.close()
  }
}
