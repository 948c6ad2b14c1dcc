// Conditions on custom attributes. Their values are in one jsonb column: attribute id → value.
import type { AttributeType } from '@rapport/contract/attributes.values'
import { unknownRecord } from '@rapport/contract/errors'
import { spansInWords, takes } from '@rapport/contract/leads/field-operators.values'
import type { AttributeCondition, Operator } from '@rapport/contract/leads/filter'
import { attributeRecords } from '../attributes/types.ts'
import { type Sql, sql } from '../db/sql.ts'
import { isId } from '../ids.ts'
import { allOf, type Kind, nothing, type Place } from './compile.ts'
import { isRelative, relative, type Scale, scales } from './times.ts'

/** All conditions must be true. `column` is the jsonb column. */
export function attributes(column: Sql): Kind<AttributeCondition[]> {
  return (entries, place) =>
    allOf(
      entries.map((entry, index) => {
        const path = [...place.path, index]
        return attributeCondition(column, entry, { ...place, path }) ?? nothing
      }),
    )
}

/** not_x selects exactly what x does not select. This includes records without a value. */
const opposites: Partial<Record<Operator, Operator>> = {
  not_equals: 'equals',
  not_contains: 'contains',
}

/** Returns undefined when the entry has a fault. */
function attributeCondition(
  column: Sql,
  { id: givenId, operator, value }: AttributeCondition,
  { context, path, fault }: Place,
): Sql | undefined {
  const id = givenId.toLowerCase()
  const attribute = isId(id) ? context.attribute(id) : undefined
  if (!attribute) {
    fault(unknownRecord([...path, 'id'], 'attribute'))
    return undefined
  }
  if (operator === 'is_empty') return isEmpty(column, id)
  if (operator === 'is_not_empty') return sql`not ${isEmpty(column, id)}`

  const { conditions, cell } = attributeRecords[attribute.type]
  const { tests, expects } = conditions
  const opposite = opposites[operator]
  const test = tests[opposite ?? operator]
  const scale = isRelative(operator) ? momentScales[attribute.type] : undefined
  if (!test && !scale) {
    const message = `Attributes of type ${attribute.type} do not support ${operator}`
    fault({ path: [...path, 'operator'], code: 'operator', message })
    return undefined
  }
  const at = [...path, 'value']
  if (takes[operator] === 'nothing' && value !== undefined) {
    fault({ path: at, code: 'value', message: `${operator} takes no value` })
    return undefined
  }
  if (takes[operator] !== 'nothing' && value === undefined) {
    fault({ path: at, code: 'required', message: 'Required' })
    return undefined
  }
  const wanted = cell === 'lead' && value ? (context.lead?.(value) ?? value) : (value ?? '')
  const stored = sql`(${column}->>${id}::text) collate "C"`
  const condition =
    scale && isRelative(operator)
      ? relative(stored, operator, value, context, scale)
      : test?.(wanted, { column, id, attribute })
  if (!condition) {
    fault({ path: at, code: 'value', message: `Must be ${scale ? spansInWords : expects}` })
    return undefined
  }
  return opposite ? sql`(${condition}) is not true` : condition
}

/** The types with days or times, and how they are stored. */
const momentScales: Partial<Record<AttributeType, Scale>> = {
  DATE: scales.dayText,
  TIMESTAMP: scales.timeText,
}

function isEmpty(column: Sql, id: string): Sql {
  // The text distinguishes most values and is faster to compare.
  return sql`(case coalesce(${column}->>${id}::text, '') when '' then true
    when '[]' then ${column}->${id}::text = '[]' else false end)`
}
