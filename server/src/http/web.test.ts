import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import { afterAll, expect, test } from 'vitest'
import { serveWeb } from './web.ts'

const folder = `${await mkdtemp(join(tmpdir(), 'rapport page '))}/`
afterAll(() => rm(folder, { recursive: true }))

/** What a browser gets at the start page. */
async function open() {
  const app = Fastify()
  const sendPage = serveWeb(app, folder)
  app.setNotFoundHandler(sendPage)
  const { statusCode, body } = await app.inject('/')
  await app.close()
  return { statusCode, body }
}

test('a page that is missing or incomplete is told, not served', async () => {
  const told = {
    statusCode: 503,
    body: expect.stringMatching(/^The page is missing .*npm run build/),
  }
  expect(await open()).toEqual(told)
  await writeFile(join(folder, 'index.html'), '')
  expect(await open()).toEqual(told)
  const html = '<script type="module" src="/assets/index-1.js"></script>'
  await writeFile(join(folder, 'index.html'), html)
  expect(await open()).toEqual(told)
  await mkdir(join(folder, 'assets'))
  await writeFile(join(folder, 'assets', 'index-1.js'), '')
  expect(await open()).toEqual({ statusCode: 200, body: html })
})
