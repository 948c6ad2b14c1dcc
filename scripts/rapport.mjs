// npm start and npm run rapport: prepare the checkout, then hand over to the command line.
import { prepare } from './prepare.mjs'

prepare()
const { main } = await import('../server/dist/main.js')
await main(process.argv.slice(2))
