import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { introduce } from './first-sign-in.ts'

const first = { key: 'rk_secret', link: { path: '/#sign-in=rl_secret' } } as Parameters<
  typeof introduce
>[0]
const isTerminal = process.stdout.isTTY
let dataDir: string
let file: string

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'rapport-first-'))
  file = join(dataDir, 'first-sign-in.txt')
  process.stdout.isTTY = false
})

afterEach(() => {
  process.stdout.isTTY = isTerminal
  rmSync(dataDir, { recursive: true, force: true })
})

const told = async () => (await introduce(first, 'http://127.0.0.1:3000', { dataDir })).join('\n')

test('on a terminal link and key are shown, and no file is left', async () => {
  process.stdout.isTTY = true
  expect(await told()).toMatch(/http:\/\/127\.0\.0\.1:3000\/#sign-in=rl_secret[\s\S]*rk_secret/)
  expect(readdirSync(dataDir)).toEqual([])
})

test('elsewhere they are in a file that only this account can read', async () => {
  const before = process.umask(0)
  const lines = await told().finally(() => process.umask(before))
  expect(lines).toContain(file)
  expect(lines).not.toContain('secret')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readFileSync(file, 'utf8')).toMatch(/#sign-in=rl_secret[\s\S]*rk_secret/)
})

test('a folder that is missing is created for it, also for this account only', async () => {
  dataDir = join(dataDir, 'later')
  const before = process.umask(0)
  await told().finally(() => process.umask(before))
  expect(statSync(dataDir).mode & 0o777).toBe(0o700)
})

test('a file of an earlier start is replaced, and a symbolic link is not followed', async () => {
  const elsewhere = join(dataDir, 'elsewhere')
  writeFileSync(elsewhere, 'mine', { mode: 0o644 })
  symlinkSync(elsewhere, file)
  await told()
  expect(readFileSync(elsewhere, 'utf8')).toBe('mine')
  expect(lstatSync(file).isFile()).toBe(true)
  expect(lstatSync(file).mode & 0o777).toBe(0o600)
})

test('if it cannot be written, the commands for others are shown instead', async () => {
  mkdirSync(join(file, 'in the way'), { recursive: true })
  const lines = await told()
  expect(lines).toMatch(/Cannot write[\s\S]*sign-in\n[\s\S]*keys create/)
  expect(lines).not.toContain('secret')
  expect(readdirSync(dataDir)).toEqual(['first-sign-in.txt'])
})
