// A real browser for the tests of the page: the one of the system, or the one of an npm package. Tests are
// never skipped for want of a browser.
import { existsSync, mkdtempSync, renameSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import packaged from '@sparticuz/chromium'
import { type Browser, chromium } from 'playwright-core'
import manifest from '../../package.json' with { type: 'json' }

const { '@sparticuz/chromium': version } = manifest.devDependencies

const usual = [
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/** The name of another machine, for the browser. */
export const elsewhere = 'crm.lan'

const quiet = [
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // A name for this machine that browsers do not trust, unlike localhost.
  `--host-resolver-rules=MAP ${elsewhere} 127.0.0.1`,
]

/** Where the browser is. The one of the package is unpacked at the first call. */
export async function findBrowser(): Promise<{ path: string; isInstalled: boolean }> {
  const installed = process.env.RAPPORT_CHROMIUM ?? usual.find((file) => existsSync(file))
  if (installed) return { path: installed, isInstalled: true }
  // The package has a Chromium for one kind of machine.
  if (`${process.platform} ${process.arch}` !== 'linux x64') {
    throw new Error(
      'The tests of the page need a browser: install Chrome or Chromium (Debian: apt-get install chromium), or set RAPPORT_CHROMIUM to its path.',
    )
  }
  return { path: await unpack(), isInstalled: false }
}

/**
 * The package unpacks into the folder for temporary files, where another account may have done so before, and takes
 * what it finds there for complete. So it gets a folder of its own, which has its name only once it is.
 */
async function unpack(): Promise<string> {
  const kept = process.env.RAPPORT_KEPT ?? tmpdir()
  const folder = join(kept, `rapport-browser-${version}-${process.getuid?.()}`)
  const browser = join(folder, 'chromium')
  if (existsSync(browser)) return browser
  const { TMPDIR } = process.env
  const begun = mkdtempSync(`${folder}-`)
  process.env.TMPDIR = begun
  try {
    await packaged.executablePath()
    renameSync(begun, folder)
  } catch (error) {
    rmSync(begun, { recursive: true, force: true })
    // Another run was faster.
    if (!existsSync(browser)) throw error
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = TMPDIR
  }
  return browser
}

export async function startBrowser(): Promise<Browser> {
  const { path, isInstalled } = await findBrowser()
  // The sandbox needs an account that is not root, and a helper that the package does not have. Not the
  // arguments of the package: with them all pages share one process, and one that crashes ends the browser.
  const hasSandbox = isInstalled && process.getuid?.() !== 0
  return chromium.launch({
    executablePath: path,
    args: [...quiet, ...(hasSandbox ? [] : ['--no-sandbox'])],
    ...(hasSharedMemory() && { ignoreDefaultArgs: ['--disable-dev-shm-usage'] }),
  })
}

/** Without it the browser takes files, a tenth of all its work. A container has 64 MB, in which pages crash. */
function hasSharedMemory(): boolean {
  const folder = '/dev/shm'
  if (!existsSync(folder)) return false
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize > 2 ** 30
}
