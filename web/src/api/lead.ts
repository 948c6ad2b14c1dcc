// A lead as the service returns it.
import type { LeadWithRelations } from '@rapport/contract/leads/shapes'
import { type Body, call, type Reply } from './call.ts'

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

/** What people call a lead. */
export function nameOf(
  lead: Pick<Lead, 'first_name' | 'last_name' | 'company' | 'email' | 'is_company'>,
): string {
  const person = [lead.first_name, lead.last_name].filter(Boolean).join(' ')
  return (lead.is_company ? lead.company || person : person || lead.company) || lead.email || ''
}

/** One entry of the history of a lead. */
export type LeadEvent = Reply<'GET /lead/{id}/events'>['events'][number]
