// A separate process that a test can kill. It runs compiled modules of the service.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll } from 'vitest'
import { root } from '../src/root.ts'

const projectFolder = fileURLToPath(root)

/**
 * Before the tests of a file it compiles the modules. They are paths below server/src without ".ts".
 * Returns a function that starts a process with a script; `module` returns what the script imports.
 */
export function otherProcess(modules: string[]) {
  let built: string
  beforeAll(() => {
    const cache = join(projectFolder, 'node_modules', '.cache')
    mkdirSync(cache, { recursive: true })
    // Inside node_modules, so that the compiled files find their packages.
    built = mkdtempSync(join(cache, 'process-'))
    const config = join(built, 'tsconfig.json')
    const source = join(projectFolder, 'server/src')
    writeFileSync(
      config,
      JSON.stringify({
        extends: join(projectFolder, 'tsconfig.build.json'),
        compilerOptions: { outDir: join(built, 'dist'), rootDir: source },
        include: [],
        files: modules.map((name) => join(source, `${name}.ts`)),
      }),
    )
    const compiler = join(projectFolder, 'node_modules/typescript/bin/tsc')
    execFileSync(process.execPath, [compiler, '-p', config], { cwd: projectFolder })
  })
  afterAll(() => rmSync(built, { recursive: true, force: true }))

  return (script: (module: (name: string) => string) => string): ChildProcess => {
    const module = (name: string) =>
      JSON.stringify(pathToFileURL(join(built, 'dist', `${name}.js`)).href)
    return spawn(process.execPath, ['--input-type=module', '-e', script(module)], {
      cwd: projectFolder,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
  }
}
