// The program as a person starts it, in a process of its own.
import { type ChildProcess, execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { root } from '../src/root.ts'

/**
 * The program as a package has it. npm start and npm run rapport first look whether everything is built, which here it
 * is: that would take each command twice as long. checkout.test.ts and documents.test.ts start it their way.
 */
export const program = fileURLToPath(new URL('bin/rapport.mjs', root))

/** The environment of the program, without the settings of our own environment. */
export function environment(
  dataDir: string,
  more: Record<string, string | undefined> = {},
): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR } = process.env
  return { PATH, HOME, TMPDIR, DATA_DIR: dataDir, PORT: '0', ...more }
}

/** The server's address, when its banner is complete in this output. */
export function addressIn(output: string): string | undefined {
  if (!output.includes('Stop with Ctrl-C.')) return undefined
  return (/Listening on +(\S+)/.exec(output) ?? /API +(\S+)\/rest/.exec(output))?.[1]
}

/** The link and the key of a first start, from the file that this output names. */
export function firstSignIn(output: string): string {
  const [, file] = /Sign in +see (\S.*first-sign-in\.txt)$/m.exec(output) ?? []
  return file ? readFileSync(file, 'utf8') : ''
}

export const firstKeyIn = (output: string) => /rk_\S+/.exec(firstSignIn(output))?.[0]

export const hasEnded = ({ exitCode, signalCode }: ChildProcess) =>
  exitCode !== null || signalCode !== null

/** Sends the signal and waits for the end. Returns the exit status. */
export async function endProcess(
  child: ChildProcess,
  signal: NodeJS.Signals,
): Promise<number | null> {
  if (!hasEnded(child)) {
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }
  return child.exitCode
}

/** Runs a command to its end. Throws with what it printed when it fails. */
export async function runProgram(
  dataDir: string,
  args: string[],
  more: Record<string, string | undefined>,
): Promise<void> {
  await promisify(execFile)(process.execPath, [program, ...args], {
    env: environment(dataDir, more),
  })
}
