// What the tests of importing share.
import { readFile } from 'node:fs/promises'
import { linkTo } from '../browser.ts'
import type { Service, Workspace } from '../harness.ts'
import { forgive, type Opened, type Options } from './page.ts'

export interface Content {
  name: string
  mimeType: string
  buffer: Buffer
}

export const csv = (name: string, content: Buffer | string): Content => ({
  ...{ name, mimeType: 'text/csv', buffer: Buffer.from(content) },
})

export const choose = (page: Opened, file: Content) =>
  page.locator('input[type=file]').setInputFiles(file)

/** Lets go of a file above the page, as people drag it there. */
export async function drop(page: Opened, { name, mimeType, buffer }: Content): Promise<void> {
  const bytes = JSON.stringify(buffer.toString('base64'))
  const options = JSON.stringify({ type: mimeType })
  const dataTransfer = await page.evaluateHandle(`(() => {
    const transfer = new DataTransfer()
    const bytes = Uint8Array.from(atob(${bytes}), (character) => character.charCodeAt(0))
    transfer.items.add(new File([bytes], ${JSON.stringify(name)}, ${options}))
    return transfer
  })()`)
  const area = page.locator('button', { hasText: 'Choose a file, or drop it here' })
  await area.dispatchEvent('dragover', { dataTransfer })
  await area.dispatchEvent('drop', { dataTransfer })
}

export const button = (page: Opened, name: string | RegExp) => page.getByRole('button', { name })

export const total = async (space: Workspace) =>
  (await space.post('/leads/list', { pagination: { page_size: 1 } })).body.total

/** In the order in which they were imported. */
export const leadsOf = async (space: Workspace) =>
  (
    await space.post('/leads/list', {
      orderBy: [{ field: 'id', type: 'asc' }],
      pagination: { all: true },
    })
  ).body.leads

/** Signed in with a cookie: a browser sends no header of its own with a download. */
export async function signedIn(
  app: Service,
  open: (options: Options) => Promise<Opened>,
  space: Workspace,
): Promise<Opened> {
  const token = await linkTo(app, { id_space: space.id_space, id: space.owner })
  const page = await open({ path: `/#sign-in=${token}` })
  await page.getByRole('heading', { name: /^Welcome/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'No leads yet' }).waitFor()
  forgive(page, 401)
  return page
}

/** The text of the file that the page lets the browser save. */
export async function saved(page: Opened, start: () => Promise<void>): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), start()])
  return readFile(await download.path(), 'utf8')
}
