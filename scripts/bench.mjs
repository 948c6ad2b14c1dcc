// npm run bench: prepare the checkout and its tools, then hand over to the benchmark.
import { prepare } from './prepare.mjs'

prepare({ dev: true, withTools: true, withClient: true })
const { main } = await import('../server/dist-tools/bench/main.js')
await main(process.argv.slice(2))
