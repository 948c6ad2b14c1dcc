// The address of the service, for people and for their programs.
import type { Config } from '../config.ts'
import type { Db } from '../db/driver.ts'
import { run } from '../db/sql.ts'
import { httpAddress } from '../http/origin.ts'

/** PostgreSQL truncates a longer application name. */
const longestName = 63
const prefix = 'rapport at '

export function addressOf({ host, port }: Pick<Config, 'host' | 'port'>): string {
  return httpAddress(host, port)
}

type Place = Pick<Config, 'host' | 'port' | 'publicUrl'>

/** Where a browser on this machine finds a service with this address. */
export function pageAt(address: string): string {
  return address.replace(/\/\/(0\.0\.0\.0|\[::\]):/, '//127.0.0.1:')
}

/** Where links lead that the operator of this machine gets. */
export function linksTo(config: Place): string {
  return config.publicUrl ?? pageAt(addressOf(config))
}

/** How the service introduces itself to the database, so that commands know where it listens. */
export function programName(config: Place): string {
  const name = prefix + (config.publicUrl ?? addressOf(config))
  // Port 0 means that the system chooses, and the port is not known yet.
  return (config.port === 0 && !config.publicUrl) || name.length > longestName ? 'rapport' : name
}

/** Where a service on this database listens, if one is running and this account may see it. */
export async function runningAddress(db: Db): Promise<string | undefined> {
  const [row] = await run<{ application_name: string }[]>(db)`
    select application_name from pg_stat_activity
    where datname = current_database() and starts_with(application_name, ${prefix})
    order by backend_start limit 1`
  return row?.application_name.slice(prefix.length)
}
