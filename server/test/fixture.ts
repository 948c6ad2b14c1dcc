// A workspace with one record of every kind: those that the documented examples name, related to each
// other, and a lead with every field set.

import { leadFields } from '@rapport/contract/leads/fields'
import type { Pool } from '../src/db/driver.ts'
import { join, raw, rowValues, run, sql } from '../src/db/sql.ts'
import { newId } from '../src/ids.ts'
import { newSecret } from '../src/outgoing/sign.ts'
import { numberOf } from '../src/resources/leads/duplicates/keys.ts'
import { secretContext } from '../src/resources/webhooks/message.ts'
import { createSecrets } from '../src/secrets.ts'
import { fixtureIds, type Ids } from './fixture-ids.ts'

/** Every text of a lead. */
const leadTexts = Object.entries(leadFields)
  .filter(([, { kind }]) => kind === 'text')
  .map(([name]) => name)

/**
 * `label` is in every free text, so that a test can recognize data of this workspace. With
 * `allRelated` every lead has all relations, not only the first. With `isNumbered` no event waits for its number.
 */
export async function fillWorkspace(
  db: Pool,
  { id_space, owner }: { id_space: string; owner: string },
  {
    ids = fixtureIds,
    label = 'fixture',
    allRelated = false,
    isNumbered = false,
  }: { ids?: Ids; label?: string; allRelated?: boolean; isNumbered?: boolean } = {},
): Promise<void> {
  const created_at = '2026-02-01T08:00:00.000Z'
  const updated_at = '2026-02-01T08:00:01.234Z'
  const dated = { id_space, created_at, updated_at }
  const ai = {
    ai_enabled: true,
    ai_instructions: { text: label },
    ai_instructions_text: label,
    ai_rules: [label],
    ai_rules_text: label,
  }
  const looks = { name: label, color: '#6366f1', icon: 'star' }

  const member = {
    id_space,
    id: ids.member,
    name: label,
    email: `${ids.member}@example.com`,
    role: 'write',
    created_at,
  }
  const list = [ids.list, ids.otherList].map((id, order) => ({
    ...dated,
    id,
    order,
    name: label,
    emoji: '🎪',
    description: label,
    schema: label,
    can_be_delete: true,
    favorite: true,
    attribute_definitions_order: [ids.attribute],
    is_deleted: false,
  }))
  const status = [
    { id: ids.status, id_list: ids.list, type: null, leads_order: [ids.otherLead, ids.lead] },
    { id: ids.otherStatus, id_list: null, type: 'DEAL_WON', leads_order: null },
  ].map((row, order) => ({
    ...dated,
    ...looks,
    ...ai,
    ...row,
    order,
    instructions: label,
    success_rate: 20.5,
  }))
  const tag = { ...dated, ...looks, ...ai, id: ids.tag, id_list: ids.list, order: 0, show: true }
  const attribute = [
    { id: ids.attribute, type: 'SELECT', slug: 'source' },
    { id: ids.relation, type: 'RELATION', slug: 'introduced_by' },
    { id: ids.date, type: 'DATE', slug: 'closing' },
  ].map((row) => ({
    ...dated,
    ...row,
    name: label,
    description: label,
    currency: '',
    is_multi: false,
    is_system: false,
  }))
  const option = [ids.option, ids.otherOption].map((id, position) => ({
    id_space,
    id_attribute: ids.attribute,
    id,
    name: label,
    color: '#f59e0b',
    position,
  }))
  const lead = {
    ...dated,
    ...Object.fromEntries(leadTexts.map((name) => [name, label])),
    id: ids.lead,
    email: 'grace@navy.example',
    company: 'Navy',
    phone: '+1 555 0100',
    linkedin_url: 'https://www.linkedin.com/in/grace/',
    contract_currency: 'USD',
    contract_value: 9_007_199_254_740_991,
    email_bounce_score: 10,
    score: 42,
    order: 1,
    is_contract: true,
    is_draft: true,
    is_tracked: true,
    ai_enabled: true,
    ai_enabled_at: updated_at,
    last_interaction_at: updated_at,
    usersId: owner,
    custom_fields: { text: label },
    attributes: {
      [ids.attribute]: ids.option,
      [ids.relation]: ids.company,
      [ids.date]: '2026-04-30',
    },
  }
  const otherLead = { ...dated, id: ids.otherLead, first_name: label, usersId: ids.member }
  const company = { ...dated, id: ids.company, company: 'Navy', city: label, is_company: true }
  // As leads/search/text.sql.ts makes it, near enough: a label, and the email that the examples look for.
  const texts = [lead, otherLead, company].map(({ id, ...fields }) => ({
    ...{ id_space, id_lead: id, text: `${label}\n${'email' in fields ? fields.email : ''}` },
  }))
  const keys = [ids.lead, ids.otherLead].map((id_lead) => ({
    ...{ id_space, kind: numberOf('name_company'), key: label, id_lead },
  }))
  const [id_lead, id_other] = [ids.lead, ids.company].toSorted()
  const campaign = {
    ...dated,
    id: ids.campaign,
    status: 'RUNNING',
    name: label,
    icon: '',
    days: '1,2,3,4,5',
    timezone: 'UTC',
    job_id: label,
    id_email_group: label,
    id_email_alias: 1,
    start_date: created_at,
    end_date: null,
    start_hour: 9,
    start_min: 0,
    end_hour: 17,
    end_min: 30,
    time_between_send: 5,
    unsubscribe_link: true,
    stop_sending_after_reply: true,
    stop_sending_after_bounce: true,
    track_open_rate: true,
    is_deleted: false,
  }
  const step = {
    id_space,
    id: ids.step,
    id_campaign: ids.campaign,
    position: 0,
    name: label,
    subject: label,
    body: label,
    delay_days: 0,
  }
  const note = [
    { id: ids.note, id_lead: ids.lead, id_parent: null },
    { id: newId(), id_lead: ids.lead, id_parent: ids.note },
  ].map((row) => ({
    ...dated,
    ...row,
    thread_id: 'thread',
    message_id: label,
    content: label,
    is_edited: true,
    is_edited_at: updated_at,
    is_pinned: true,
    is_pinned_at: updated_at,
    kind: 'call',
    happened_at: updated_at,
    duration: 20,
    outcome: 'reached',
    id_author: ids.member,
    mentions: [ids.member],
  }))
  const reminder = [
    { id: ids.reminder, id_lead: ids.lead, cron: '0 9 * * 1', cron_id: newId() },
    { id: newId(), id_lead: null, cron: '', cron_id: null },
  ].map((row) => ({
    ...dated,
    ...row,
    name: label,
    ressource_link: label,
    date: '2030-01-14T09:00:00.000Z',
  }))
  const firing = {
    id_space,
    id_reminder: ids.reminder,
    due_at: created_at,
    fired_at: created_at,
    payload: { text: label },
  }
  const progress = {
    id_space,
    id: ids.import,
    fingerprint: label,
    file: label,
    row_number: 1,
    ...{ created: 1, updated: 0, skipped: 0, rejected: 0, rejected_bytes: 0 },
    ...{ started_at: created_at, updated_at },
  }
  const relation = {
    ...{ id_space, id_import: progress.id, id_lead: ids.otherLead },
    ...{ id_attribute: ids.relation, id_other: ids.lead },
  }
  const rejected = {
    ...{ id_space, id_import: progress.id, row_number: 0, content: Buffer.from(label) },
  }
  const idempotency = {
    ...{ id_space, id_key: newId(), key: label, fingerprint: label, answer: label, created_at },
  }
  const operation = {
    ...{ id_space, id: ids.operation, kind: 'update', state: 'done', count: 1, changed: 1 },
    ...{ id_member: ids.member, id_key: newId(), way: 'api', request_id: label },
    ...{ filter: { search: label }, data: { city: label }, since_seq: 0 },
    ...{ created_at, done_at: '2026-03-01T08:00:00.000Z' },
  }
  const before = {
    ...{ id_space, id_operation: ids.operation, step: 1, part: 1, what: 'fields' },
    ...{ old: { city: 'before' }, new: { city: label }, ids: [ids.lead] },
  }
  const event = {
    ...{ id_space, type: 'lead.updated', at: created_at, id_member: ids.member, id_key: newId() },
    ...{ way: 'api', request_id: label, id_operation: newId(), undo_of: newId() },
    ...{ ids: [ids.lead], leads: [ids.lead], changed: { city: [null, label] } },
  }
  const notification = {
    ...{ id_space, id: ids.notification, id_member: owner, kind: 'mention', id_actor: ids.member },
    ...{ id_lead: ids.lead, id_record: ids.note, count: 1, created_at, mail_at: null },
  }
  const setting = {
    ...{ id_space, id_member: owner, kinds: { mention: 'page' }, digest_hour: 9 },
    ...{ quiet_from: 20, quiet_to: 7 },
  }
  const view = [
    { id: ids.view, id_member: owner, shared: true },
    { id: newId(), id_member: ids.member, shared: false },
  ].map((row, order) => ({
    ...dated,
    ...row,
    order,
    name: label,
    filter: { tags: [ids.tag] },
    orderBy: [{ field: 'city', type: 'asc' }],
    columns: [{ field: ids.attribute, width: 120 }],
    mode: 'board',
    id_list: ids.list,
  }))
  const rate = {
    ...{ ...dated, id: ids.rate, base: 'EUR', currency: 'USD', rate: 0.92, date: '2026-01-31' },
  }
  const webhook = {
    ...{ ...dated, id: ids.webhook, name: label, url: 'https://hooks.example.com/fixture' },
    ...{ types: ['lead.*'], filter: { tags: [ids.tag] }, include: ['lead'], id_member: owner },
    // The server of the tests can read it if it is that of the examples.
    secret: createSecrets('a key for tests').seal(
      newSecret(),
      secretContext(id_space, ids.webhook),
    ),
    ...{ state: 'paused', reason: 'person', seq: 0 },
  }
  const attempt = {
    ...{ id_space, id: newId(), id_webhook: ids.webhook, seq: 1, type: 'lead.updated' },
    ...{ at: created_at, took_ms: 12, status: 500, error: null, answer: label },
  }
  const retry = {
    ...{ id_space, id_webhook: ids.webhook, seq: 1, tries: 1, next_at: '2030-01-01T00:00:00.000Z' },
  }
  const mail = {
    ...{ id_space, id: ids.mail, id_member: ids.member, kind: 'notification', state: 'failed' },
    ...{ content: { subject: label, lines: [label] }, last_error: label, created_at },
    not_before: created_at,
  }
  const audit = {
    ...{ id_space, id: newId(), at: created_at, id_member: ids.member, id_key: newId() },
    ...{ way: 'api', request_id: label, action: 'key.created', about: { name: label } },
  }
  const key = {
    ...{ id: ids.key, id_space, id_member: ids.member, hash: newId(), kind: 'key', created_at },
    ...{ role: 'write', name: label, hint: 'rk_abc…xyz' },
  }
  const session = {
    ...{ ...key, id: ids.session, hash: newId(), kind: 'session', signed_in_at: created_at },
    expires_at: '2030-01-01T00:00:00.000Z',
  }
  const link = {
    ...{ id_space, id_member: ids.member, purpose: 'invitation', hash: newId() },
    ...{ created_at, expires_at: '2030-01-01T00:00:00.000Z' },
  }
  const refusal = {
    ...{ id_space, id_member: owner, count: 1, untold: 0, since: created_at, last_at: created_at },
    ...{ address: label, addresses: [label] },
  }
  const pending = {
    ...{ id_space, id_member: owner, hash: newId(), how: { way: 'password' } },
    ...{ created_at, expires_at: '2030-01-01T00:00:00.000Z' },
  }
  const challenge = {
    ...{ holder: newId(), purpose: 'add', challenge: label },
    expires_at: '2030-01-01T00:00:00.000Z',
  }
  const passkey = {
    ...{
      id_space,
      id: newId(),
      id_member: owner,
      credential: label,
      public_key: Buffer.from(label),
    },
    ...{ rp_id: 'localhost', counter: 1, transports: ['usb'], backed_up: false, name: label },
    ...{ created_at, last_used_at: updated_at },
  }
  const totp = { id_space, id_member: owner, secret: label, last_step: 1, created_at }
  const recovery = { id_space, id_member: owner, hash: label, created_at }
  const password = { id_space, id_member: owner, hash: label, changed_at: created_at }
  const identity = {
    ...{ id_space, id_member: owner, issuer: 'https://example.com', subject: label },
    bound_at: created_at,
  }
  const related = allRelated ? [ids.lead, ids.otherLead, ids.company] : [ids.lead]
  const relate = <T extends object>(rows: T[]) =>
    related.flatMap((id_lead) => rows.map((row) => ({ id_space, id_lead, ...row })))
  const lists = allRelated ? [ids.list, ids.otherList] : [ids.list]

  const inserts: (readonly [table: string, rows: object | object[]])[] = [
    ['member', member],
    ['list', list],
    ['status', status],
    ['tag', tag],
    ['attribute', attribute],
    ['attribute_option', option],
    ['lead', lead],
    ['lead', otherLead],
    ['lead', company],
    ['lead_search', texts],
    ['lead_key', keys],
    ['lead_key_due', { id_space, id: newId(), ids: [ids.lead], id_last: null, done: 0 }],
    ['not_duplicate', { id_space, id_lead, id_other }],
    ['campaign', campaign],
    ['campaign_step', step],
    ['lead_list', relate(lists.map((id_list) => ({ id_list })))],
    [
      'lead_status',
      relate([
        { id_status: ids.status, id_list: ids.list },
        { id_status: ids.otherStatus, id_list: null },
      ]),
    ],
    [
      'lead_stage',
      relate([{ id_status: ids.otherStatus, entered_at: created_at, left_at: updated_at }]),
    ],
    ['lead_tag', relate([{ id_tag: ids.tag }])],
    ['lead_owner', relate([{ id_member: owner }, { id_member: ids.member }])],
    ['lead_campaign', relate([{ id_campaign: ids.campaign }])],
    ['lead_step', relate([{ id_step: ids.step, is_opened: true, updated_at }])],
    ['note', note],
    ['reminder', reminder],
    ['reminder_user', { id_space, id_reminder: ids.reminder, id_member: ids.member }],
    ['reminder_firing', firing],
    ['import_progress', progress],
    ['import_relation', relation],
    ['import_rejected', rejected],
    ['idempotency', idempotency],
    ['notification', notification],
    ['notification_setting', setting],
    ['saved_view', view],
    ['rate', rate],
    ['view_favorite', { id_space, id_view: ids.view, id_member: owner }],
    ['api_key', [session]],
    ['api_key', key],
    ['sign_in_link', link],
    ['member_password', password],
    ['member_refusal', refusal],
    ['member_identity', identity],
    ['pending_sign_in', pending],
    ['passkey', passkey],
    ['passkey_challenge', challenge],
    ['member_totp', totp],
    ['recovery_code', recovery],
    ['lead_count', { id_space, slot: 0, count: 3 }],
    ['webhook', webhook],
    ['webhook_attempt', attempt],
    ['webhook_retry', retry],
    ['delivery_queue', { id_space, id: ids.webhook, due_at: '2030-01-01T00:00:00.000Z' }],
    ['mail_out', mail],
    ['mail_pause', { id_space }],
    ['calendar_token', { id_space, id_member: owner, hash: newId(), created_at }],
    ['audit', audit],
    ['operation', operation],
    ['operation_before', before],
    ['event', { ...event, seq: 1 }],
    ...(isNumbered ? [] : [['event_new', { ...event, id: newId(), part: 1 }] as const]),
  ]
  // One statement, because many tests do this. Foreign keys are checked at its end.
  const steps = inserts.map(
    ([table, rows], at) =>
      sql`${raw(`step_${at}`)} as (insert into ${raw(table)} ${rowValues(rows)})`,
  )
  await run(db)`with ${join(steps, ', ')}
    update event_head set epoch = 'f1e1d000', seq = 1 where id_space = ${id_space}`
}
