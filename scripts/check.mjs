// npm run check: format, lint, types, the OpenAPI document, then every test (one of them compares
// openapi.json with the contract).
import { prepare, runTool } from './prepare.mjs'

prepare({ dev: true })
console.log('Format and lint')
runTool('@biomejs/biome/bin/biome', ['ci', '.'])
console.log('Types')
runTool('typescript/bin/tsc', ['-b', 'contract', 'client', 'server', 'web'])
console.log('OpenAPI document')
// Without this it asks the registry for a newer version of itself.
const quiet = { ...process.env, REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
runTool('@redocly/cli/bin/cli.js', ['lint', 'openapi.json'], quiet)
console.log('Tests')
runTool('vitest/vitest.mjs', ['run'])
