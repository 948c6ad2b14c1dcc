import { contract } from '@rapport/contract'
import { openapi } from '../http/openapi.ts'
import { version } from '../version.ts'
import { type Command, parse, requireNoMore } from './command.ts'

export const openapiCommand: Command = {
  summary: 'Print the OpenAPI document',
  help: `Usage: npm run -s rapport -- openapi > openapi.json

Prints the document that the server returns at /openapi.json.`,

  async run(args) {
    requireNoMore(parse(args, {}).positionals)
    console.log(JSON.stringify(openapi(contract, version), null, 2))
  },
}
