import { contract } from '@rapport/contract'
import { openapi } from '../http/openapi.ts'
import { version } from '../version.ts'
import { command, requireNoMore } from './command.ts'

export const openapiCommand = command({
  summary: 'Print the OpenAPI document',
  help: `Usage: npm run -s rapport -- openapi > openapi.json

Prints the document that the server returns at /openapi.json.`,

  async run({ positionals }) {
    requireNoMore(positionals)
    console.log(JSON.stringify(openapi(contract, version), null, 2))
  },
})
