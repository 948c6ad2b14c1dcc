// A separate process that a test can kill. It runs the service as it is built (see build.ts).
import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { root } from '../src/root.ts'

/** The text that imports a module in a script: one that build.mjs builds for tests. */
const builtModule = (name: string) =>
  JSON.stringify(new URL(`server/dist-tools/${name}.js`, root).href)

/** Starts a process with a script. `module` names what the script imports. */
export function startProcess(script: (module: (name: string) => string) => string): ChildProcess {
  return spawn(process.execPath, ['--input-type=module', '-e', script(builtModule)], {
    cwd: fileURLToPath(root),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}
