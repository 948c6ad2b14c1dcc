// A command of the program in the process of the test: starting a process takes longer than most commands.
import { main } from '../src/main.ts'

export interface Outcome {
  code: number
  stdout: string
  stderr: string
}

let last: Promise<unknown> = Promise.resolve()

/** Runs a command to its end, as the program does. `environment` is all that it knows of ours. */
export function runHere(args: string[], environment: NodeJS.ProcessEnv): Promise<Outcome> {
  // One at a time: the environment and the console are those of the process.
  const outcome = last.then(() => run(args, environment))
  last = outcome.catch(() => {})
  return outcome
}

async function run(args: string[], environment: NodeJS.ProcessEnv): Promise<Outcome> {
  const printed = { stdout: '', stderr: '' }
  const { env } = process
  const { log, error } = console
  const outputs = [process.stdout, process.stderr]
  const listeners = outputs.map((output) => output.listeners('error'))
  process.env = environment
  console.log = (line) => {
    printed.stdout += `${line}\n`
  }
  console.error = (line) => {
    printed.stderr += `${line}\n`
  }
  try {
    await main(args)
    return { code: Number(process.exitCode ?? 0), ...printed }
  } finally {
    process.env = env
    process.exitCode = undefined
    Object.assign(console, { log, error })
    for (const [at, output] of outputs.entries()) {
      for (const added of output.listeners('error')) {
        if (!listeners[at]?.includes(added)) output.off('error', added as () => void)
      }
    }
  }
}
