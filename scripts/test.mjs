// npm test: prepare the checkout, check the types, then run the tests: all of them, or those of one kind
// (npm test -- unit, see server/test/kinds.ts). Other arguments go to Vitest.
import { prepare, runTool } from './prepare.mjs'

const [first = '', ...rest] = process.argv.slice(2)
const isKind = ['unit', 'service', 'page', 'process'].includes(first)
if (isKind) process.env.RAPPORT_TESTS = first

prepare({ dev: true })
runTool('typescript/bin/tsc', ['-b', 'contract', 'client', 'server', 'web'])
runTool('vitest/vitest.mjs', ['run', ...(isKind ? rest : process.argv.slice(2))])
