#!/usr/bin/env node
// The program: of the package as it is installed, and of a checkout that scripts/rapport.mjs has prepared.
import { readFileSync } from 'node:fs'

const npm = findNpm()
if (npm) {
  stopWith(npm)
  // npm runs its scripts in the project's folder, but people give paths from where they are.
  process.chdir(process.env.INIT_CWD ?? '.')
}
const { run } = await import('../server/dist/main.js')
await run(process.argv.slice(2))

/**
 * Returns the process ids between npm and this process, or undefined when npm did not start us. npm
 * starts a shell, and most shells replace themselves by the command. Some stay in between.
 */
function findNpm() {
  const { npm_lifecycle_event: event, npm_lifecycle_script: command } = process.env
  if (event === undefined) return undefined
  const parent = process.ppid
  const isShell = command && readProc(parent, 'cmdline')?.includes(`\0-c\0${command}`)
  return { parent, grandparent: isShell ? parentOf(parent) : undefined }
}

/**
 * A signal that ends npm is meant for what npm runs. But npm passes only some signals on, and a shell
 * passes none. We notice that npm has gone when our parent has changed, or the parent of the shell.
 */
function stopWith({ parent, grandparent }) {
  const timer = setInterval(() => {
    if (process.ppid === parent && (!grandparent || parentOf(parent) === grandparent)) return
    clearInterval(timer)
    process.kill(process.pid, 'SIGTERM')
  }, 250)
  timer.unref()
}

/** Only Linux tells it without another process. Elsewhere a shell in between is not watched. */
function parentOf(pid) {
  const [, parent] = /^PPid:\t(\d+)$/m.exec(readProc(pid, 'status') ?? '') ?? []
  return parent
}

function readProc(pid, name) {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return undefined
  }
}
