import { makeLink, validMs } from '../access/links.ts'
import { inTime } from '../words.ts'
import { addressOf, pageAt, runningAddress } from './address.ts'
import { chooseMember } from './choose-member.ts'
import { anySpace, chooseSpace } from './choose-space.ts'
import { CommandError, command, json, requireNoMore, withDatabase } from './command.ts'
import { startCommand } from './next-command.ts'

export const signIn = command({
  summary: 'Print a link that signs a member in',
  help: `Usage: npm run rapport -- sign-in [--member <email|id>] [--space <name|id>]

The link works once, within ${inTime(validMs.sign_in)}. Use it also if you have lost your password. A
new link replaces the previous one.`,
  options: {
    member: '<email|id> the member to sign in (default: the owner)',
    space: anySpace,
    json,
  },

  async run({ values, positionals }, config) {
    requireNoMore(positionals)
    const { running, path, expires_at } = await withDatabase(config, async (pool) => {
      const space = await chooseSpace(pool, values.space)
      const member = await chooseMember(pool, space, values.member)
      if (config.openid?.only && member.role !== 'owner') {
        throw new CommandError(
          `${member.email} signs in with the provider. With OIDC_ONLY, links are only for owners.`,
        )
      }
      const made = await makeLink(pool, member, 'sign_in', new Date())
      return { ...made, running: await runningAddress(pool) }
    })
    const link = (config.publicUrl ?? pageAt(running ?? addressOf(config))) + path
    if (values.json) return console.log(JSON.stringify({ link, expires_at }))
    console.log(link)
    console.error(`It works once, within ${inTime(validMs.sign_in)}.`)
    if (!running) console.error(`If Rapport is not running, start it first: ${startCommand()}`)
  },
})
