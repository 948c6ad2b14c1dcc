// Opens an address in the browser of the person at this machine.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const openers: Partial<Record<NodeJS.Platform, [program: string, ...args: string[]]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
}

/**
 * The address has a secret, and every account of the machine can read the arguments of a program. So the
 * browser opens a file that only this account can read, which leads to the address. A machine without a
 * browser is not an error: the address can be typed.
 */
export function openBrowser(address: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'rapport-open-'))
  const file = join(folder, 'sign-in.html')
  writeFileSync(file, `<meta http-equiv="refresh" content="0; url=${address}">`, { mode: 0o600 })
  const [program, ...args] = openers[process.platform] ?? ['xdg-open']
  spawn(program, [...args, file], { stdio: 'ignore', detached: true })
    .on('error', () => console.error('Could not open a browser.'))
    .unref()
  const remove = () => rmSync(folder, { recursive: true, force: true })
  setTimeout(remove, 60_000).unref()
  process.once('exit', remove)
}
