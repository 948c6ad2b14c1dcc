// Creates everything that belongs to a lead: lists, statuses, tags, owners, attributes, campaigns,
// notes and reminders.
import type { Random } from '../random.ts'
import { type NewLead, unrelated } from '../resources/leads/create/insert.sql.ts'
import type { Furniture, StageRecord } from './furniture.ts'
import { fill, type Lead } from './people.ts'
import { backgrounds, lostReasons, notes, recurrences, reminders, replies } from './texts.ts'

/** Leads, and the rows of other tables. A column that is missing in a row is null or has its default. */
export interface Rows extends Record<Table, Record<string, unknown>[]> {
  leads: (NewLead & Record<'lists' | 'tags' | 'owners' | 'status', unknown[]>)[]
}

/** The tables of `leads`. */
export const leadTables = ['lead', 'lead_list', 'lead_status', 'lead_tag', 'lead_owner'] as const

/** A table comes after the tables that it refers to. */
export const tables = [
  ...(['lead_campaign', 'lead_step', 'note', 'reminder', 'reminder_user'] as const),
]

export type Table = (typeof tables)[number]

export interface Setting {
  furniture: Furniture
  members: string[]
  now: number
  /** The next occurrence of a cron schedule. */
  nextTime(cron: string): string
}

const day = 86_400_000
const iso = (time: number) => new Date(time).toISOString()

export function emptyRows(): Rows {
  return { leads: [], lead_campaign: [], lead_step: [], note: [], reminder: [], reminder_user: [] }
}

export function createStories(random: Random, { furniture, members, now, nextTime }: Setting) {
  /** A random time between this time and now. */
  const later = (time: number) => time + Math.floor(random.next() * (now - time))
  // The first members own more leads than the last ones.
  const member = () => members[Math.floor(random.next() ** 2 * members.length)] as string

  /** Adds the rows of the lead and of everything that belongs to it. */
  function tell(rows: Rows, lead: Lead): void {
    const { stages, ...sorted } = sortIn()
    const tags = furniture.tags.filter(({ share }) => random.chance(share)).map(({ id }) => id)
    const owners = ownersOf()
    const contacts = [...addCampaigns(rows, lead), ...addNotes(rows, lead)]
    addReminders(rows, lead)
    const lastContact = contacts.length > 0 ? Math.max(...contacts.map(({ time }) => time)) : null
    const hasBounced = contacts.some(({ bounced }) => bounced)
    rows.leads.push({
      ...{ ...unrelated, ...sorted, tags, owners },
      // We change `lead.fields` and do not copy it, because this runs a million times.
      row: Object.assign(lead.fields, contract(lead, stages), intelligence(lead), {
        id: lead.id,
        email_bounce_score: lead.fields.email ? bounceScore(hasBounced) : null,
        usersId: member(),
        attributes: values(lead),
        lost_reason: whyLost(lead, stages),
        last_interaction_at: lastContact === null ? null : iso(lastContact),
        created_at: iso(lead.created),
        updated_at: iso(Math.max(lead.created, lastContact ?? 0)),
      }),
    })
  }

  function sortIn() {
    const stages: StageRecord[] = []
    const lists: string[] = []
    const status: { id: string; id_list: string | null }[] = []
    for (const { id: id_list, share, stages: pipeline } of furniture.lists) {
      if (!random.chance(share)) continue
      lists.push(id_list)
      if (!random.chance(0.92)) continue
      const stage = random.weighted(pipeline)
      status.push({ id: stage.id, id_list })
      stages.push(stage)
    }
    const stage = furniture.globalStages.find(({ share }) => random.chance(share))
    if (stage) status.push({ id: stage.id, id_list: null })
    return { stages, lists, status }
  }

  function ownersOf(): string[] {
    if (!random.chance(0.9)) return []
    const owners = new Set([member()])
    if (random.chance(0.08)) owners.add(member())
    return [...owners]
  }

  function contract({ words, country }: Lead, stages: StageRecord[]) {
    const is_contract = stages.some(({ type }) => type === 'DEAL_WON')
    if (!is_contract && !stages.some(({ success_rate }) => success_rate >= 60))
      return { is_contract }
    // Many small values, few large ones.
    const contract_value = Math.round(500 * 200 ** (random.next() ** 2)) * 10
    const { currency: contract_currency } = country
    return { is_contract, contract_value, contract_currency, contract_name: words.company }
  }

  /** By its id: a random choice would change everything that comes after it. */
  function whyLost({ id }: Lead, stages: StageRecord[]): string | null {
    const isLost = stages.some(({ type }) => type === 'DEAL_LOST')
    return (
      (isLost && lostReasons[Number.parseInt(id.slice(-4), 16) % (lostReasons.length + 1)]) || null
    )
  }

  function intelligence({ created, words }: Lead) {
    if (!random.chance(0.05)) return { ai_enabled: false }
    return {
      ai_enabled: true,
      ai_enabled_at: iso(later(created)),
      ai_summary: fill('{name} works in {city}; the next step is a call.', words),
    }
  }

  function bounceScore(hasBounced: boolean): number | null {
    if (hasBounced) return random.between(85, 100)
    return random.chance(0.7) ? Math.floor(random.next() ** 3 * 100) : null
  }

  function values({ id, created, city, country, company, words, fields }: Lead) {
    const { attributes } = furniture
    const made: Record<string, unknown> = {}
    const set = (key: keyof typeof attributes, share: number, make: () => unknown) => {
      if (random.chance(share)) made[attributes[key].id] = make()
    }
    const option = (key: 'source' | 'interests') => random.weighted(attributes[key].options).id
    set('account', 0.4, () => `AC-${id.slice(-7).toUpperCase()}`)
    set('background', 0.1, () => fill(random.pick(backgrounds), words))
    set('employees', fields.is_company ? 0.9 : 0.2, () => Math.round(5 * 2000 ** random.next()))
    set('billing', 0.1, () => `billing@${company?.domain ?? 'mail.example'}`)
    set('newsletter', 0.5, () => random.chance(0.6))
    set('renewal', 0.15, () => iso(now + random.between(-200, 500) * day).slice(0, 10))
    set('demo', 0.12, () => iso(later(created)))
    set('source', 0.8, () => option('source'))
    set('interests', 0.4, () => [
      ...new Set(Array.from({ length: random.between(1, 3) }, () => option('interests'))),
    ])
    set('budget', 0.2, () => random.between(10, 2000) * 50)
    set('office', 0.15, () => ({
      latitude: round(city.latitude + (random.next() - 0.5) / 10),
      longitude: round(city.longitude + (random.next() - 0.5) / 10),
      address: city.text,
    }))
    set('direct', 0.1, () => country.phone.replace(/#/g, () => String(random.between(0, 9))))
    if (company) set('employer', 0.7, () => company.id)
    return made
  }

  function addCampaigns(rows: Rows, { id: id_lead, created, fields }: Lead): Contact[] {
    const contacts: Contact[] = []
    for (const { id: id_campaign, share, started, ended, steps } of furniture.campaigns) {
      if (!fields.email || created > ended || !random.chance(share)) continue
      rows.lead_campaign.push({ id_lead, id_campaign })
      let time = Math.max(created, started)
      for (const id_step of steps) {
        // Some leads did not get their next mail yet.
        if (!random.chance(0.85)) break
        time += Math.floor(random.next() * (ended - time) * 0.5)
        const state = stepState()
        rows.lead_step.push({ id_lead, id_step, ...state, updated_at: iso(time) })
        contacts.push({ time, bounced: state.is_bounced })
        if (state.is_bounced || state.is_replied || state.is_unsubscribed) break
      }
    }
    return contacts
  }

  function stepState() {
    const is_bounced = random.chance(0.03)
    const is_delivered = !is_bounced
    const is_opened = is_delivered && random.chance(0.55)
    const is_clicked = is_opened && random.chance(0.3)
    const is_replied = is_opened && random.chance(is_clicked ? 0.25 : 0.05)
    const is_unsubscribed = is_opened && !is_replied && random.chance(0.02)
    return {
      ...{ is_sent: true, is_delivered, is_opened, is_clicked },
      ...{ is_replied, is_bounced, is_unsubscribed },
    }
  }

  function addNotes(rows: Rows, { id: id_lead, created, words }: Lead): Contact[] {
    if (!random.chance(0.1)) return []
    const contacts: Contact[] = []
    for (let count = random.between(1, 3); count > 0; count--) {
      const time = later(created)
      const { content, details } = random.pick(notes)
      const note = { ...newNote(id_lead, time, fill(content, words)), ...details }
      if (details) note.happened_at = iso(time)
      const hasReplies = random.chance(0.2)
      const thread_id = hasReplies ? random.id(time) : null
      rows.note.push({ ...note, thread_id })
      contacts.push({ time, bounced: false })
      for (let left = hasReplies ? random.between(1, 3) : 0; left > 0; left--) {
        const replied = later(time)
        const reply = newNote(id_lead, replied, random.pick(replies))
        rows.note.push({ ...reply, thread_id, id_parent: note.id })
        contacts.push({ time: replied, bounced: false })
      }
    }
    return contacts
  }

  function newNote(id_lead: string, time: number, content: string) {
    const is_pinned = random.chance(0.08)
    const is_edited = random.chance(0.1)
    const changed = is_pinned || is_edited ? later(time) : time
    return {
      ...{ id: random.id(time), id_lead, content, is_pinned, is_edited, is_deleted: false },
      is_pinned_at: is_pinned ? iso(changed) : null,
      is_edited_at: is_edited ? iso(changed) : null,
      created_at: iso(time),
      updated_at: iso(changed),
      ...{ kind: 'note', happened_at: null as string | null, duration: null, outcome: null },
      id_author: members[time % members.length],
    }
  }

  function addReminders(rows: Rows, { id: id_lead, created, words }: Lead): void {
    if (!random.chance(0.02)) return
    const time = later(created)
    const id = random.id(time)
    const common = { id, id_lead, ressource_link: '', is_deleted: false, created_at: iso(time) }
    const name = fill(random.pick(reminders), words)
    const kind = random.next()
    if (kind < 0.5) {
      const date = iso(now + random.between(1, 90 * 24) * 3_600_000)
      rows.reminder.push({ ...common, name, date, cron: '', is_done: false, updated_at: iso(time) })
    } else if (kind < 0.8) {
      // The reminder was done before its date, so it has not fired and never will.
      const done = later(time)
      const row = { ...common, name, date: iso(later(done)), cron: '', is_done: true }
      rows.reminder.push({ ...row, updated_at: iso(done) })
    } else {
      const { cron, name: recurring } = random.pick(recurrences)
      const row = { ...common, cron, cron_id: random.id(time), date: nextTime(cron) }
      const is_done = false
      rows.reminder.push({ ...row, name: fill(recurring, words), is_done, updated_at: iso(time) })
    }
    const users = new Set([member()])
    if (random.chance(0.2)) users.add(member())
    for (const id_member of users) rows.reminder_user.push({ id_reminder: id, id_member })
  }

  return { tell }
}

interface Contact {
  time: number
  bounced: boolean
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000
}
