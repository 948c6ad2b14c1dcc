// Statuses and options of the file that the workspace does not have: created, mapped, left empty or rejected.
import { valueSigns } from '@rapport/contract/transfer.values'
import { useRecords } from '../../api/records.ts'
import { Button } from '../../ui/button.tsx'
import { formatNumber } from '../../ui/format.ts'
import type { Option } from '../../ui/options.tsx'
import { Pick } from '../../ui/pick.tsx'
import { imports } from '../../words/imports.ts'
import css from './import.module.css'
import { RunActions } from './run-actions.tsx'
import { useGoTo } from './steps.ts'
import { check, decide, type UnknownValue, useWizard, valueKey } from './wizard.ts'

export function ValuesStep() {
  const goTo = useGoTo()
  const { unknown, choices, found } = useWizard()
  const optionsOf = useValueOptions()
  if (!found) return null
  const places = [...new Set(unknown.map(({ column }) => column))]
  return (
    <>
      <h2 className={css.title}>{imports.values}</h2>
      <p className="soft">{imports.valuesNote}</p>
      {places.map((place) => {
        const values = unknown.filter(({ column }) => column === place)
        const header = values[0]?.header ?? ''
        return (
          <section key={place} className={css.section} aria-label={header}>
            <h2>
              <bdi>{header}</bdi>
            </h2>
            <table className={css.columns}>
              <thead>
                <tr>
                  <th>{imports.value}</th>
                  <th className={css.number}>{imports.inRows}</th>
                  <th>{imports.becomes}</th>
                </tr>
              </thead>
              <tbody>
                {values.map((one) => (
                  <tr key={one.value}>
                    <th scope="row">
                      <bdi>{one.value}</bdi>
                    </th>
                    <td className={css.number}>{formatNumber(one.rows)}</td>
                    <td>
                      <Pick
                        label={imports.valueBecomes(one.value, header)}
                        options={optionsOf(one)}
                        chosen={choices.values[valueKey(one)] ?? valueSigns.create}
                        onPick={(to) =>
                          decide({ values: { ...choices.values, [valueKey(one)]: to } })
                        }
                      />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        )
      })}
      <RunActions rows={found.rows} isPossible isQuiet>
        <Button onClick={() => goTo('columns')}>{imports.changeColumns}</Button>
        <Button
          look="go"
          onClick={async () => {
            const next = await check()
            if (next) goTo(next)
          }}
        >
          {imports.check}
        </Button>
      </RunActions>
    </>
  )
}

/** What a value can become: the most similar one first. */
function useValueOptions(): (value: UnknownValue) => Option[] {
  const { status, lists, attributes } = useRecords()
  const listOf = (id: string) => lists.find((list) => list.id === id)?.name
  return ({ field, value, nearest }) => {
    const attribute = attributes.find(({ slug }) => field === `attribute:${slug}`)
    const known = attribute
      ? attribute.select_options.map(({ id, name }) => ({ id, label: name, hint: undefined }))
      : status.map(({ id, name, id_list }) => ({ id, label: name, hint: listOf(id_list) }))
    const first = known.filter(({ id }) => id === nearest?.id)
    const others = known.filter(({ id }) => id !== nearest?.id)
    return [
      ...first.map((one) => ({ ...one, hint: imports.nearest, group: imports.knownValues })),
      ...others.map((one) => ({ ...one, group: imports.knownValues })),
      {
        id: valueSigns.create,
        label: imports.createValue(value),
        group: imports.decisions,
      },
      { id: valueSigns.empty, label: imports.emptyValue, group: imports.decisions },
      { id: valueSigns.reject, label: imports.rejectValue, group: imports.decisions },
    ]
  }
}
