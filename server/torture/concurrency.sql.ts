// Invariants of the database. Each has a statement that finds the rows that break it.
import type { Pool } from '../src/db/driver.ts'
import { companyKey } from '../src/resources/leads/search/match.ts'
import { Breach } from './torture.ts'

const invariants: Record<string, string> = {
  'a lead has one status in each list': `
    select ls.id_lead from lead_status ls join status s using (id_space)
    where s.id = ls.id_status and id_space = $1
    group by ls.id_lead, s.id_list having count(*) > 1`,
  'a status row of a lead names the list of the status': `
    select ls.id_lead from lead_status ls join status s using (id_space)
    where s.id = ls.id_status and id_space = $1 and ls.id_list is distinct from s.id_list`,
  'a lead with a status of a list is in the list': `
    select ls.id_lead from lead_status ls join status s using (id_space)
    where s.id = ls.id_status and id_space = $1 and s.id_list is not null and not exists (
      select from lead_list ll
      where ll.id_space = $1 and ll.id_lead = ls.id_lead and ll.id_list = s.id_list)`,
  'no lead is in a deleted list': `
    select ll.id_lead from lead_list ll left join list l using (id_space)
    where l.id = ll.id_list and id_space = $1 and l.is_deleted`,
  'no status and no tag belongs to a deleted list': `
    select x.id from (
      select id, id_list from status where id_space = $1
      union all select id, id_list from tag where id_space = $1) x
    join list l on l.id_space = $1 and l.id = x.id_list where l.is_deleted`,
  'both sides of every relation exist': `
    select id_lead from lead_tag x where id_space = $1
      and not exists (select from tag where id_space = $1 and id = x.id_tag)
    union all select id_lead from lead_status x where id_space = $1
      and not exists (select from status where id_space = $1 and id = x.id_status)
    union all select id_lead from lead_list x where id_space = $1
      and not exists (select from list where id_space = $1 and id = x.id_list)
    union all select id_lead from lead_owner x where id_space = $1
      and not exists (select from member where id_space = $1 and id = x.id_member)`,
  'the attribute of every value exists': `
    select lead.id from lead, jsonb_object_keys(lead.attributes) as key where lead.id_space = $1
      and not exists (select from attribute a where a.id_space = $1 and a.id = key::uuid)`,
  'every option that a lead has exists': `
    select lead.id from lead, jsonb_each(lead.attributes) as entry (key, value)
    join attribute a on a.id_space = $1 and a.id = entry.key::uuid and a.type = 'SELECT',
    lateral jsonb_array_elements_text(
      case jsonb_typeof(entry.value) when 'array' then entry.value
        else jsonb_build_array(entry.value) end) as chosen
    where lead.id_space = $1 and not exists (
      select from attribute_option o
      where o.id_space = $1 and o.id_attribute = a.id and o.id = chosen::uuid)`,
  'no two companies have the same name': `
    select min(id::text) from lead
    where id_space = $1 and is_company and not is_deleted
    group by ${companyKey.text} having count(*) > 1`,
  // By the order of the feed. The times are those of the beginning of each request, which may wait for the other.
  'no lead got a note or a reminder after its deletion': `
    select later.seq from event deleted
    join event later on later.id_space = $1 and later.seq > deleted.seq
      and later.type in ('note.created', 'reminder.created') and later.leads && deleted.ids
    where deleted.id_space = $1 and deleted.type = 'lead.deleted' and not exists (
      select from event between_them where id_space = $1 and type = 'lead.restored'
        and ids && deleted.ids and seq between deleted.seq and later.seq)`,
  'no two attributes have the same slug': `
    select slug from attribute where id_space = $1 group by slug having count(*) > 1`,
}

/** Returns how many invariants were checked. */
export async function checkInvariants(db: Pool, space: string): Promise<number> {
  await untilNumbered(db, space)
  for (const [what, statement] of Object.entries(invariants)) {
    const breaches = await db.unsafe(statement, [space])
    if (breaches.length > 0) {
      const shown = JSON.stringify(breaches.slice(0, 3))
      throw new Breach(`Broken: ${what}. ${breaches.length} rows, such as ${shown}`)
    }
  }
  return Object.keys(invariants).length
}

/** Events get their numbers a moment after the change. */
async function untilNumbered(db: Pool, space: string): Promise<void> {
  const statement = 'select id from event_new where id_space = $1'
  for (let look = 0; (await db.unsafe(statement, [space])).length > 0; look++) {
    if (look === 600) throw new Breach('Events have had no number for a minute')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
