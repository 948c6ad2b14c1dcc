// A lead as the service returns it.
import type { LeadWithRelations } from '@rapport/contract/leads/shapes'
import { type Body, call } from './call.ts'

export { leadName as nameOf } from '@rapport/contract/leads/name'

export type Lead = LeadWithRelations

export interface LeadPage {
  leads: Lead[]
  total: number
}

type LeadQuery = Omit<Body<'POST /leads/list'>, 'include' | 'id_only'>

/** Leads with their relations. */
export async function listLeads(body: LeadQuery, signal: AbortSignal): Promise<LeadPage> {
  const { leads, total } = await call('POST /leads/list', { signal, body })
  return { leads: leads.filter((lead) => 'attributes' in lead), total }
}
