// The selected leads as a file.
import type { LeadFilter } from '@rapport/contract/leads/filter'
import { readFault } from '../api/fault.ts'
import { tellFault } from '../ui/toast.tsx'
import { words } from '../words.ts'

export async function exportLeads(filter: LeadFilter, format: 'csv' | 'ndjson'): Promise<void> {
  try {
    const response = await fetch('/rest/leads/export', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ filter, format }),
    })
    if (!response.ok) throw await readFault(response)
    const address = URL.createObjectURL(await response.blob())
    const link = document.createElement('a')
    link.href = address
    link.download = `leads.${format}`
    link.click()
    URL.revokeObjectURL(address)
  } catch (error) {
    tellFault(words.bulk.exportFailed, error)
  }
}
