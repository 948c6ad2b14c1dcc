// How far a lead is in each of its lists: a bar of the list's stages. A click moves the lead.
import type { CSSProperties } from 'react'
import type { Lead } from '../../api/lead.ts'
import type { Records } from '../../api/records.ts'
import { relationField } from '../../kinds/fields.ts'
import { saveField } from '../../kinds/save.ts'
import { statusesOf } from '../../pipeline/statuses.ts'
import { classes } from '../../ui/classes.ts'
import { safeColor } from '../../ui/small.tsx'
import { words } from '../../words/index.ts'
import css from './lead.module.css'

interface Props {
  lead: Lead
  records: Records
  mayWrite: boolean
}

export function Steps({ lead, records, mayWrite }: Props) {
  return lead.lists.map(({ id: list, name }) => {
    const stages = statusesOf(records.status, list)
    if (stages.length < 2) return null
    const current = lead.status.find(({ id_list }) => id_list === list)
    const at = stages.findIndex(({ id }) => id === current?.id)
    // A lost lead has not reached the stages before.
    const isLost = stages[at]?.type === 'DEAL_LOST'
    const move = (to: (typeof stages)[number]) => {
      const others = lead.status.filter(({ id_list }) => id_list !== list)
      void saveField(statusField, lead, [...others, to])
    }
    return (
      <div key={list} className={css.fact}>
        <dt className="cut" title={name}>
          {name}
        </dt>
        <dd>
          <div className={css.steps} role="group" aria-label={words.lead.stagesOf(name)}>
            {stages.map((stage, index) => (
              <button
                key={stage.id}
                type="button"
                disabled={!mayWrite}
                title={stage.name}
                aria-label={stage.name}
                aria-pressed={index === at}
                className={classes(css.step, (isLost ? index === at : index <= at) && css.reached)}
                style={{ '--step': safeColor(current?.color) } as CSSProperties}
                onClick={() => index !== at && move(stage)}
              />
            ))}
          </div>
        </dd>
      </div>
    )
  })
}

const statusField = relationField('status')
