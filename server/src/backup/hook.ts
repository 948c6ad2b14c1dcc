// Runs the operator's command after a backup.
import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** How much of the command's output about a failure is reported. */
const toldCharacters = 500

/** A command of the shell, which gets the path of the backup in BACKUP_FILE. */
export async function runHook(command: string, file: string, signal: AbortSignal): Promise<void> {
  const child = spawn(command, {
    ...{ shell: true, signal, stdio: ['ignore', 'ignore', 'pipe'] },
    env: { ...process.env, BACKUP_FILE: file },
  })
  let said = ''
  child.stderr?.on('data', (piece) => {
    said = (said + piece).slice(-toldCharacters)
  })
  const [code, killedBy] = await once(child, 'close')
  if (code === 0) return
  const how = killedBy ? `it was ended by ${killedBy}` : `its exit status is ${code}`
  throw new Error([how, said.trim().replaceAll(/\s*\n\s*/g, ' | ')].filter(Boolean).join(': '))
}
