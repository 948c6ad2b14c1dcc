// The npm package: what is in it, and that it runs where it is installed, without a checkout around it.
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { mkdtemp, rename, rm, symlink } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { program, projectFolder, serving } from './running-program.ts'

const box = program()
let folder: string
/** Where it is installed. */
let installed: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rapport package ü '))
  const release = join(projectFolder, 'scripts/release.mjs')
  const args = [release, '--uncommitted', '--package-only', '--output', join(folder, 'made')]
  await promisify(execFile)(process.execPath, args)
  installed = join(folder, 'rapport')
  await rename(join(folder, 'made', 'package'), installed)
  // What npm would install. The packages are those of the checkout.
  await symlink(join(projectFolder, 'node_modules'), join(installed, 'node_modules'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const own = () => join(installed, 'bin', 'rapport.mjs')
const json = (file: string) => JSON.parse(readFileSync(join(installed, file), 'utf8'))

test('it has what runs, and nothing to build with', () => {
  const files = readdirSync(installed, { recursive: true, encoding: 'utf8' })
    .filter((file) => !file.startsWith('node_modules'))
    .filter((file) => statSync(join(installed, file)).isFile())
  expect(files.filter((file) => /\.(map|tsx?)$/.test(file))).toEqual([])
  for (const file of [
    'bin/rapport.mjs',
    'server/dist/main.js',
    'web/dist/index.html',
    'README.md',
  ]) {
    expect(files).toContain(file)
  }
  const bytes = files.reduce((sum, file) => sum + statSync(join(installed, file)).size, 0)
  expect(bytes).toBeLessThan(8_000_000)

  const { dependencies, optionalDependencies, version, gitHead, ...about } = json('package.json')
  // All but PostgreSQL, of which there is one for each platform.
  expect(about.bundleDependencies).toEqual(Object.keys(dependencies))
  expect(gitHead).toMatch(/^[0-9a-f]{40}$/)
  expect(version).toBe(
    JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8')).version,
  )
  const { packages } = json('npm-shrinkwrap.json')
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    expect(packages).toHaveProperty([`node_modules/${name}`, 'integrity'])
  }
  const names = Object.keys(packages).join('\n')
  expect(names).not.toMatch(/node_modules\/(vite|vitest|rolldown|typescript|lucide-react|@types\/)/)
  expect(JSON.stringify(packages)).not.toContain('"resolved"')
})

test('every package that the program loads is one of its own', () => {
  const { dependencies } = json('package.json')
  const parts = readdirSync(join(installed, 'server/dist'), { recursive: true, encoding: 'utf8' })
  const loaded = parts
    .filter((file) => file.endsWith('.js'))
    .flatMap((file) => {
      const text = readFileSync(join(installed, 'server/dist', file), 'utf8')
      return [...text.matchAll(/^(?:import|export)\b[^;]*? from "([^".][^"]*)"/gm)]
    })
    .map(([, name = '']) =>
      name
        .split('/')
        .slice(0, name.startsWith('@') ? 2 : 1)
        .join('/'),
    )
    .filter((name) => !isBuiltin(name))
  expect(new Set(loaded).size).toBeGreaterThan(5)
  for (const name of loaded) expect(Object.keys(dependencies)).toContain(name)
})

test('its texts have the commands as people type them, and it serves', async () => {
  const run = (...args: string[]) =>
    promisify(execFile)(process.execPath, [own(), ...args], {
      cwd: folder,
      env: { PATH: process.env.PATH, DATA_DIR: box.dataDir },
    })
  const { stdout: help } = await run('help', 'keys')
  expect(help).toMatch(/^Usage: rapport keys /)
  expect(help).not.toContain('npm')
  const assets = join(installed, 'web/dist/assets')
  const [words = ''] = readdirSync(assets).filter((file) => /^words-.*\.js$/.test(file))
  const page = readFileSync(join(assets, words))
  expect(page.toString()).toContain('rapport sign-in')
  expect(page.toString()).not.toContain('npm run')
  expect(brotliDecompressSync(readFileSync(join(assets, `${words}.br`)))).toEqual(page)
  expect(gunzipSync(readFileSync(join(assets, `${words}.gz`)))).toEqual(page)
  expect((await run('--help')).stdout).toContain('Start the service (rapport serve)')

  // Without a command, it starts.
  const key = 'a-key-of-the-operator-for-this-test'
  const server = await serving(box.spawned(process.execPath, [own()], { RAPPORT_API_KEY: key }))
  const answer = await fetch(`${server.url}/leads`, { headers: { accept: 'text/html' } })
  expect(await answer.text()).toContain('<!doctype html>')
  const about = await fetch(`${server.url}/rest/version`, { headers: { 'X-API-KEY': key } })
  const { version, gitHead } = json('package.json')
  expect(await about.json()).toEqual({ version, commit: gitHead })
  // The first screen of the README: a key, a lead, and the lead found again.
  const { stdout: made } = await run('keys', 'create', '--quiet')
  const post = async (path: string, body: object) => {
    const headers = { 'X-API-KEY': made.trim(), 'Content-Type': 'application/json' }
    const init = { method: 'POST', headers, body: JSON.stringify(body) }
    return (await fetch(`${server.url}/rest${path}`, init)).json() as Promise<{ id?: string }>
  }
  const { id } = await post('/lead', { first_name: 'Ada', last_name: 'Byron' })
  expect(await post('/leads/list', { filter: { search: 'byron' } })).toMatchObject({
    leads: [{ id }],
    total: 1,
  })
  server.child.kill('SIGTERM')
  expect(await server.ended).toBe(0)
})
