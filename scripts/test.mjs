// npm test: prepare the checkout, check the types, then run the tests (arguments go to Vitest).
import { prepare, runTool } from './prepare.mjs'

prepare({ dev: true })
runTool('typescript/bin/tsc', ['-b', 'contract', 'server', 'web'])
runTool('vitest/vitest.mjs', ['run', ...process.argv.slice(2)])
