// Lists, statuses, tags, members and attributes of a big workspace.
import type { Db } from '../src/db/driver.ts'
import { rowValues, run } from '../src/db/sql.ts'
import type { BigWorkspace, Shared } from './big-workspace.shape.ts'

export async function fillDefinitions(tx: Db, big: BigWorkspace): Promise<void> {
  const { id_space } = big
  const time = '2024-01-01T00:00:00.000Z'
  const dated = { id_space, created_at: time, updated_at: time }
  const list = big.lists.map(({ id, share }, order) => ({
    ...dated,
    id,
    order,
    name: `List of ${share * 100}%`,
    emoji: '',
    description: '',
    schema: '',
    can_be_delete: true,
    favorite: false,
    attribute_definitions_order: [],
    is_deleted: false,
  }))
  const named = ({ id, share }: Shared, order: number) => ({
    ...dated,
    id,
    order,
    name: `Of ${share * 100}%`,
    color: '#6366f1',
    icon: '',
    ai_enabled: false,
    ai_instructions_text: '',
    ai_rules_text: '',
  })
  const status = [
    ...big.listStatuses.map((entry, order) => ({
      ...named(entry, order),
      id_list: big.lists[0]?.id ?? null,
    })),
    ...big.statuses.map((entry, order) => ({ ...named(entry, order), id_list: null })),
  ].map((row) => ({ ...row, instructions: '', success_rate: 0 }))
  const ages = Object.values(big.ages).map((id) => ({ id, share: 0.01 }))
  const tag = [...big.tags, ...ages].map((entry, order) => ({ ...named(entry, order), show: true }))
  const member = big.owners.slice(1).map(({ id }) => ({
    id_space,
    id,
    name: 'Colleague',
    email: `${id}@example.com`,
    role: 'write',
    created_at: time,
  }))
  const attribute = Object.entries(big.attributes).map(([slug, id]) => ({
    ...dated,
    id,
    slug,
    name: slug,
    type: slug.toUpperCase(),
    description: '',
    currency: '',
    is_multi: false,
    is_system: false,
  }))
  const option = big.options.map(({ id, share }, position) => ({
    id_space,
    id_attribute: big.attributes.select,
    id,
    name: `Of ${share * 100}%`,
    color: '',
    position,
  }))
  await run(tx)`insert into list ${rowValues(list)}`
  await run(tx)`insert into status ${rowValues(status)}`
  await run(tx)`insert into tag ${rowValues(tag)}`
  await run(tx)`insert into member ${rowValues(member)}`
  await run(tx)`insert into attribute ${rowValues(attribute)}`
  await run(tx)`insert into attribute_option ${rowValues(option)}`
}
