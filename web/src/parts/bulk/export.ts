// Leads as a file: those of a view, or the selected ones.
import type { Body } from '../../api/call.ts'
import { readFault } from '../../api/fault.ts'
import { tellFault } from '../../ui/toast.tsx'
import { words } from '../../words/index.ts'

export type Export = Body<'POST /leads/export'>

/** Servers take addresses of some kilobytes. A selection of many single leads is longer. */
const longestAddress = 6_000

/** The browser writes the file to the disk as it comes: it may be larger than the memory. */
export async function exportLeads(ask: Export): Promise<void> {
  const address = `/rest/leads/export?${new URLSearchParams({ request: JSON.stringify(ask) })}`
  const name = `leads.${ask.format ?? 'csv'}`
  if (address.length <= longestAddress) return download(address, name)
  try {
    const response = await fetch('/rest/leads/export', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(ask),
    })
    if (!response.ok) throw await readFault(response)
    const content = URL.createObjectURL(await response.blob())
    download(content, name)
    URL.revokeObjectURL(content)
  } catch (error) {
    tellFault(words.bulk.exportFailed, error)
  }
}

function download(address: string, name: string): void {
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
}
