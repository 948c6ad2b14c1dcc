// Leads as a file: those of a view, or the selected ones.
import type { Body } from '../../api/call.ts'
import { readFault } from '../../api/fault.ts'
import { orTell } from '../../ui/attempt.ts'
import { localTime } from '../../ui/zone.ts'
import { words } from '../../words/index.ts'

export type Export = Body<'POST /leads/export'>

/** Servers take addresses of some kilobytes. A selection of many single leads is longer. */
const longestAddress = 6_000
const longestName = 100

/**
 * Saves the leads with the name of what they are, and the day. The browser writes the file to the disk as it comes:
 * it may be larger than the memory.
 */
export async function exportLeads(what: string, wanted: Export): Promise<void> {
  const ask = { ...wanted, labels: true }
  const name = `${what.slice(0, longestName)} ${localTime(new Date()).slice(0, 10)}`
  const query = new URLSearchParams({ request: JSON.stringify(ask), name })
  const address = `/rest/leads/export?${query}`
  if (address.length <= longestAddress) return download(address)
  await orTell(words.bulk.exportFailed, async () => {
    const response = await fetch('/rest/leads/export', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(ask),
    })
    if (!response.ok) throw await readFault(response)
    const content = URL.createObjectURL(await response.blob())
    download(content, `${name}.${ask.format ?? 'csv'}`)
    URL.revokeObjectURL(content)
  })
}

/** The service names the file, unless it comes from here. */
function download(address: string, name = ''): void {
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
}
