// npm run cluster: prepare the checkout and its tools, then start a Citus cluster.
import { prepare } from './prepare.mjs'

prepare({ dev: true, withTools: true })
const { main } = await import('../server/dist-tools/test/cluster.main.js')
await main(process.argv.slice(2))
