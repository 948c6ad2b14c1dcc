// npm run bench:web: prepare the checkout and its tools, then hand over to the benchmark of the page.
import { prepare } from './prepare.mjs'

prepare({ dev: true, withTools: true })
const { main } = await import('../server/dist-tools/bench/web.main.js')
await main(process.argv.slice(2))
