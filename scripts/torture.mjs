// npm run torture: prepare the checkout and its tools, then hand over to the long runs.
import { prepare } from './prepare.mjs'

prepare({ dev: true, withTools: true })
const { main } = await import('../server/dist-tools/torture/main.js')
await main(process.argv.slice(2))
