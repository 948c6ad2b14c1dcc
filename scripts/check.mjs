// npm run check: format, lint, types, then every test (the drift of openapi.json is one of them).
import { prepare, runTool } from './prepare.mjs'

prepare({ dev: true })
console.log('Format and lint')
runTool('@biomejs/biome/bin/biome', ['ci', '.'])
console.log('Types')
runTool('typescript/bin/tsc', ['-p', 'tsconfig.json'])
console.log('Tests')
runTool('vitest/vitest.mjs', ['run'])
