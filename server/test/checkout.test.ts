// What a checkout builds, and when: a copy of it, with sources that change beside a running server.
import { execFile, spawn } from 'node:child_process'
import { appendFile, cp, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { emptyDatabases } from './empty-databases.ts'
import { addressIn, endProcess, environment } from './program.ts'
import { follow, projectFolder } from './running-program.ts'

const databases = emptyDatabases()
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rapport copy '))
  const isOurs = (file: string) => !['node_modules', '.git'].includes(basename(file))
  // With new times for all files, as tar --touch and some copies give them.
  await cp(projectFolder, folder, { recursive: true, filter: isOurs })
  await symlink(join(projectFolder, 'node_modules'), join(folder, 'node_modules'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Without npm: it would replace the packages of the project itself. */
const withoutNpm = { npm_execpath: join(tmpdir(), 'no-npm.js') }
const program = () => join(folder, 'scripts', 'rapport.mjs')
const run = (args: string[], more: Record<string, string | undefined>) =>
  promisify(execFile)(process.execPath, [program(), ...args], {
    env: environment(folder, { ...more, ...withoutNpm }),
  })

test('a copy of a built checkout is built', async () => {
  expect(await run(['--version'], {})).toMatchObject({ stderr: '' })
})

test('a command after a change of the sources leaves the page of a running server alone', async () => {
  const { environment: more } = await databases.create()
  const server = follow(
    spawn(process.execPath, [program(), 'serve'], {
      env: environment(folder, { ...more, ...withoutNpm }),
    }),
  )
  await server.says(/Stop with Ctrl-C\./)
  const url = addressIn(server.output) ?? ''
  const load = async () => {
    const page = await (await fetch(url)).text()
    const assets = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path)
    expect(assets.length).toBeGreaterThan(1)
    const loaded = await Promise.all(assets.map((path) => fetch(url + path)))
    return [page, ...(await Promise.all(loaded.map((answer) => answer.text())))]
  }
  const before = await load()
  await appendFile(join(folder, 'contract/src/index.ts'), '\n')
  await appendFile(join(folder, 'web/src/main.tsx'), '\n')
  expect(await run(['spaces', 'list'], more)).toMatchObject({ stderr: 'Building the service…\n' })
  // As the next start does.
  await rm(join(folder, 'web/dist'), { recursive: true })
  expect(await load()).toEqual(before)
  await endProcess(server.child, 'SIGTERM')
})
