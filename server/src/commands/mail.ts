import { sendTest } from '../mail/test-mail.ts'
import { checkedEmail } from './checks.ts'
import { actionOf, CommandError, command, required, requireNoMore } from './command.ts'

export const mail = command({
  summary: 'Send a test mail, and say what happened',
  help: `Usage: npm run rapport -- mail test you@example.com

Sends a mail with the settings SMTP_URL, MAIL_FROM and PUBLIC_URL, and says whether the mail server
accepted it or what went wrong. It needs no running service and no database. The exit status is 1 if
the server did not accept the mail.`,

  async run({ positionals }, config) {
    const [action, address, ...more] = positionals
    actionOf(action, ['test'])
    requireNoMore(more)
    const to = checkedEmail(required(address, 'the address'), 'The address')
    const { accepted, text } = await sendTest(config.mail, to, 'Rapport', new Date())
    if (!accepted) throw new CommandError(text)
    console.log(text)
  },
})
