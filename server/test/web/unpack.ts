// Unpacks the browser before any test: workers that begin at the same moment would start one that is not complete.
import { findBrowser } from './browser.ts'

export default async function setup(): Promise<void> {
  // Files that need no browser can do without. Those that need one say what is missing.
  await findBrowser().catch(() => {})
}
