// Asks before something is done that the user may regret.
import { createInterface } from 'node:readline/promises'
import { CommandError } from './command.ts'

/** Asks on a terminal. A script cannot be asked, so it needs --yes. `command` is the one without it. */
export async function confirm(
  effect: string,
  question: string,
  command: string,
  { yes, json }: { yes?: boolean | undefined; json?: boolean | undefined },
): Promise<void> {
  if (!json) console.error(effect)
  if (yes) return
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    throw new CommandError(
      `${json ? `${effect}\n` : ''}Nothing was done. To confirm: ${command} --yes`,
    )
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const stop = new AbortController()
  // Ctrl-D and Ctrl-C are a no.
  terminal.on('close', () => stop.abort())
  terminal.on('SIGINT', () => stop.abort())
  const answer = await terminal
    .question(`${question} Type "yes" to continue: `, { signal: stop.signal })
    .catch(() => '')
  terminal.close()
  if (answer.trim().toLowerCase() !== 'yes') throw new CommandError('Nothing was done.')
}
