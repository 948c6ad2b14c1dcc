// Asks before something is removed for good.
import { createInterface } from 'node:readline/promises'
import { CommandError } from './command.ts'

/** Asks on a terminal. A script cannot be asked, so it needs --yes. `command` is the one without it. */
export async function confirm(
  loss: string,
  question: string,
  command: string,
  { yes, json }: { yes?: boolean | undefined; json?: boolean | undefined },
): Promise<void> {
  if (!json) console.error(loss)
  if (yes) return
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    throw new CommandError(
      `${json ? `${loss}\n` : ''}Nothing was removed. To remove it: ${command} --yes`,
    )
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const stop = new AbortController()
  // Ctrl-D and Ctrl-C are a no.
  terminal.on('close', () => stop.abort())
  terminal.on('SIGINT', () => stop.abort())
  const answer = await terminal
    .question(`${question} Type "yes" to go on: `, { signal: stop.signal })
    .catch(() => '')
  terminal.close()
  if (answer.trim().toLowerCase() !== 'yes') throw new CommandError('Nothing was removed.')
}
