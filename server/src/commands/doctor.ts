import type { Check } from '@rapport/contract/system'
import type { Config } from '../config.ts'
import type { MailSettings } from '../config-mail.ts'
import { openLine } from '../mail/smtp.ts'
import { examine } from '../system/checks.ts'
import { counted } from '../words.ts'
import { pageAt, runningAddress } from './address.ts'
import { command, json, print, requireNoMore, withDatabase } from './command.ts'
import { asTyped } from './next-command.ts'

/** A proxy that needs longer does not pass requests on. */
const timeoutMs = 5_000

type Found = Omit<Check, 'name'> & { name: string }

export const doctor = command({
  summary: 'Check the installation, and say how to fix problems',
  help: `Usage: npm run rapport -- doctor [--json]

Checks the release, the schema, backups, disk space, clocks, connections, open files, permissions,
settings, the mail server, and whether the service answers at its address, also through your proxy
(PUBLIC_URL). Run it from the account and with the settings of the service. It changes nothing. The
exit status is 1 if it finds an error.`,
  options: {
    json,
  },

  async run({ values, positionals }, config) {
    requireNoMore(positionals)
    const checks = await withDatabase(config, async (db) => [
      ...(await examine({ db, config, now: new Date() })),
      await checkService(config, await runningAddress(db)),
      ...(config.mail ? [await checkMailServer(config.mail)] : []),
    ])
    const wrong = checks.filter(({ state }) => state !== 'ok')
    if (wrong.some(({ state }) => state === 'error')) process.exitCode = 1
    if (values.json) return print(checks, true, [])
    for (const { name, state, text, advice } of wrong) {
      console.log(asTyped(`${state.toUpperCase()} ${name}: ${text}\n  ${advice}\n`))
    }
    const fine = checks.length - wrong.length
    console.log(`${counted(fine, 'check')} passed, ${wrong.length} did not.`)
  },
})

/** Connects and signs in, and sends nothing. */
async function checkMailServer(settings: MailSettings): Promise<Found> {
  const name = 'mail server'
  const line = openLine(settings)
  const { came, text } = await line.greet()
  line.close()
  if (came !== 'accepted')
    return { name, state: 'error', text: `${text}.`, advice: 'Check SMTP_URL.' }
  return { name, state: 'ok', text: `${settings.host} answers.`, advice: null }
}

/** Asks the service as its clients do: through the proxy, if there is one. */
async function checkService({ publicUrl }: Config, running: string | undefined): Promise<Found> {
  const name = 'service'
  const address = publicUrl ?? (running && pageAt(running))
  if (address === undefined) {
    return { name, state: 'warning', text: 'No running service found.', advice: 'npm start' }
  }
  const signal = AbortSignal.timeout(timeoutMs)
  try {
    const { status } = await fetch(`${address}/readyz`, { signal })
    if (status === 200) {
      return { name, state: 'ok', text: `The service answers at ${address}.`, advice: null }
    }
    const advice =
      status === 503
        ? 'The service cannot reach its database or is stopping. Check its log.'
        : 'Another program answers there. Check PUBLIC_URL and where the proxy sends requests.'
    return { name, state: 'error', text: `${address}/readyz returns ${status}.`, advice }
  } catch (error) {
    const { message, cause } = error as Error
    const reason = (cause as Error | undefined)?.message || message
    const text = `${address} does not answer: ${reason}`
    const advice = publicUrl
      ? 'Check the name, its certificate and the proxy.'
      : 'Check HOST, PORT and the firewall.'
    return { name, state: 'error', text, advice }
  }
}
