// npm run cluster: a cluster for as long as a command runs, or until Ctrl-C.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { onStopSignal } from '../src/commands/interrupt.ts'
import { findCitus, NoCitus, startCluster } from './cluster.ts'

const usage = `Usage: npm run cluster -- [--find] [--safe] [command …]

Starts a Citus cluster on this machine, a coordinator and two workers, from a PostgreSQL with Citus that
is installed: the one of pg_config on the PATH, or of PG_CONFIG. With a command it runs that with
CITUS_URL set, and ends with its exit status. Without one it prints the address and runs until Ctrl-C.
The data is removed at the end.

  --find   only say whether there is such a PostgreSQL
  --safe   wait for the disk at each commit; without it a crash may lose data, and tests are quicker`

export async function main(args: string[]): Promise<void> {
  const at = args.findIndex((word) => !word.startsWith('--'))
  const options = at < 0 ? args : args.slice(0, at)
  const command = at < 0 ? [] : args.slice(at)
  const unknown = options.find((word) => !['--find', '--safe'].includes(word))
  if (unknown) {
    console.error(usage)
    process.exitCode = unknown === '--help' ? 0 : 2
    return
  }
  try {
    if (options.includes('--find')) return console.log(await findCitus())
    process.exitCode = await withCluster(options.includes('--safe'), command)
  } catch (error) {
    if (!(error instanceof NoCitus)) throw error
    console.error(error.message)
    process.exitCode = 3
  }
}

async function withCluster(isSafe: boolean, [program, ...args]: string[]): Promise<number> {
  const say = (line: string) => console.error(line)
  const stopped = new Promise<void>((resolve) => onStopSignal(() => resolve()))
  const cluster = await startCluster({ isSafe, say })
  try {
    if (program === undefined) {
      console.log(`DATABASE_URL=${cluster.url}\nStop with Ctrl-C.`)
      await stopped
      return 0
    }
    const env = { ...process.env, CITUS_URL: cluster.url }
    const child = spawn(program, args, { stdio: 'inherit', env })
    const [code] = await once(child, 'exit')
    return code ?? 1
  } finally {
    await cluster.stop()
  }
}
