import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { removeLeftUploads, spool, spoolToFile } from './spool.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rapport-spool-'))
  vi.stubEnv('TMPDIR', folder)
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

async function* bytes(count: number, size: number) {
  for (let at = 0; at < count; at++) yield Buffer.alloc(size, at % 251)
}

async function read(chunks: AsyncIterable<Buffer>): Promise<Buffer[]> {
  const found: Buffer[] = []
  for await (const chunk of chunks) found.push(chunk)
  return found
}

test('uploads have no name on the disk, so that nothing is left when the process ends', async () => {
  const large = await spool(bytes(90, 100_000))
  const file = await spoolToFile(bytes(3, 1000))
  expect(readdirSync(folder)).toEqual([])
  const expected = Buffer.concat(await read(bytes(90, 100_000)))
  for (let time = 0; time < 2; time++) {
    expect(Buffer.concat(await read(large.open())).equals(expected)).toBe(true)
  }
  expect(Buffer.concat(await read(file.read()))).toHaveLength(3000)
  await large.close()
  await file.close()
})

test('bytes that come one by one are no object each', async () => {
  const small = await spool(bytes(200_000, 1))
  const chunks = await read(small.open())
  expect(chunks.map(({ length }) => length)).toEqual([65_536, 65_536, 65_536, 3_392])
  expect(Buffer.concat(chunks)[70_000]).toBe(70_000 % 251)
})

test('what ended processes have left is removed, and nothing else', async () => {
  const make = (name: string, file = 'content', age = 0) => {
    mkdirSync(join(folder, name))
    writeFileSync(join(folder, name, file), 'x')
    const time = new Date(Date.now() - age)
    utimesSync(join(folder, name, file), time, time)
    return name
  }
  const day = 86_400_000
  make('rapport-upload-999999999-abcDEF')
  make(`rapport-upload-${process.pid}-abcDEF`)
  make('rapport-import-abcDEF', 'content', 2 * day)
  const kept = [
    make('rapport-import-fresh1'),
    make('rapport-import-other1', 'leads.csv', 2 * day),
    make(`rapport-upload-${process.ppid}-abcDEF`),
  ]
  await removeLeftUploads()
  expect(readdirSync(folder).sort()).toEqual(kept.sort())
})
