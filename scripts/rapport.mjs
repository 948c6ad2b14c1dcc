// npm start and npm run rapport: prepare the checkout, then hand over to the program.
import { prepare } from './prepare.mjs'

const [command = 'serve'] = process.argv.slice(2)
prepare({ withPage: command === 'serve' })
await import('../bin/rapport.mjs')
