import { orderOfStage, stageNamed } from '@rapport/contract/stages.values'
import { useQuery } from '@tanstack/react-query'
import { useLocation, useSearch } from 'wouter'
import { type Body, call } from '../../api/call.ts'
import { recordQueries, type StatusRecord } from '../../api/records.ts'
import { setUpPipeline } from '../../kinds/set-up.ts'
import { change, readAgain, replaced } from '../../parts/records/change.ts'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/select.tsx'
import { tellFault } from '../../ui/toast.tsx'
import { words } from '../../words/index.ts'
import { settings } from '../../words/settings.ts'
import { DeleteRecord } from './delete-record.tsx'
import { ColorInput, InlineInput } from './inline-input.tsx'
import type { Part } from './part-state.tsx'
import { RecordList } from './record-list.tsx'
import css from './settings.module.css'

const key = recordQueries.status.queryKey

type Change = Omit<Body<'PATCH /status'>['status'][number], 'id' | 'leads_order'>

const update = (status: StatusRecord, body: Change) =>
  change<StatusRecord>({
    key,
    what: status.name,
    ...(!('name' in body || 'success_rate' in body) && {
      shown: (statuses) => replaced(statuses, { ...status, ...body } as StatusRecord),
    }),
    work: () => call('PATCH /status', { body: { status: [{ id: status.id, ...body }] } }),
  })

async function setRate(status: StatusRecord, success_rate: number): Promise<boolean> {
  if (success_rate >= 0 && success_rate <= 100) return update(status, { success_rate })
  tellFault(words.faults.notSaved(status.name), new Error(settings.statuses.rateRange))
  return false
}

function StatusesPart() {
  const query = useQuery(recordQueries.status)
  const { data: lists = [] } = useQuery(recordQueries.lists)
  const list = new URLSearchParams(useSearch()).get('list') ?? lists[0]?.id ?? ''
  const [, navigate] = useLocation()
  const remove = async ({ id }: StatusRecord) => {
    await call('DELETE /status/{id}', { id })
    await readAgain(key)
  }
  const ofList = query.data?.filter(({ id_list }) => id_list === list)
  const newStage = (name: string) => {
    const stage = stageNamed(name, ofList ?? [])
    const order = orderOfStage(stage, ofList ?? [])
    return {
      ...{ name, ...stage, ...(list && { id_list: list }) },
      ...(order !== undefined && { order }),
    }
  }
  return (
    <>
      <div className={css.form}>
        <Select
          label={settings.statuses.of}
          value={list}
          options={[
            ...lists.map(({ id, name, emoji }) => [id, `${emoji} ${name}`.trim()] as const),
            ['', words.pipeline.none],
          ]}
          onValue={(id) => navigate(`/settings/statuses?list=${id}`)}
        />
      </div>
      <RecordList
        id="statuses"
        query={{ ...query, data: ofList }}
        onOrder={(status, order) => void update(status, { order })}
        onAdd={(name) =>
          change({
            key,
            what: name,
            work: () => call('POST /status', { body: newStage(name) }),
          })
        }
      >
        {(status) => <StatusRow status={status} onDelete={() => remove(status)} />}
      </RecordList>
      {ofList?.length === 0 && (
        <div className={css.form}>
          <Button onClick={() => void setUpPipeline(list)}>{words.pipeline.setUp}</Button>
          <p className={css.hint}>{words.pipeline.setUpHint}</p>
        </div>
      )}
    </>
  )
}

const types = ['', 'DEAL_WON', 'DEAL_LOST'] as const

function StatusRow({ status, onDelete }: { status: StatusRecord; onDelete: () => Promise<void> }) {
  return (
    <>
      <ColorInput
        label={settings.colorOf(status.name)}
        value={status.color}
        onSave={(color) => void update(status, { color })}
      />
      <InlineInput
        label={settings.nameOf(status.name)}
        value={status.name}
        onSave={(name) => update(status, { name })}
      />
      <span className={css.rate}>
        <InlineInput
          label={settings.statuses.likely(status.name)}
          type="number"
          min={0}
          max={100}
          value={String(status.success_rate)}
          onSave={(rate) => setRate(status, Number(rate))}
        />
        %
      </span>
      <Select
        isBare
        className={css.select}
        label={settings.statuses.type(status.name)}
        value={status.type ?? ''}
        options={types.map((type) => [type, settings.statuses.types[type]])}
        onValue={(next) =>
          void update(status, { type: types.find((type) => type === next) || null })
        }
      />
      <DeleteRecord
        name={status.name}
        filter={{ status: [status.id] }}
        text={settings.statuses.deleteText}
        onDelete={onDelete}
      />
    </>
  )
}

export default { needs: 'write', Content: StatusesPart } satisfies Part
