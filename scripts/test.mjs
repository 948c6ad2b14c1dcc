// npm test: prepare the checkout, then run the tests (arguments go to Vitest).
import { prepare, runTool } from './prepare.mjs'

prepare({ dev: true })
runTool('vitest/vitest.mjs', ['run', ...process.argv.slice(2)])
