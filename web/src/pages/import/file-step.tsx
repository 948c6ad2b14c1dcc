// Choosing a file, and what was imported before.
import { useQuery } from '@tanstack/react-query'
import { FileUp } from 'lucide-react'
import { type DragEvent, useRef, useState } from 'react'
import { call, type Reply } from '../../api/call.ts'
import { client } from '../../api/client.ts'
import { undoOutside } from '../../parts/bulk/tray.tsx'
import { undo } from '../../parts/bulk/undo-last.ts'
import { Button } from '../../ui/button.tsx'
import { formatAgo, formatNumber } from '../../ui/format.ts'
import { Refusal } from '../../ui/small.tsx'
import { imports } from '../../words/imports.ts'
import { words } from '../../words/index.ts'
import css from './import.module.css'
import { RefusedLink } from './refused-link.tsx'
import { accepted } from './send-file.ts'
import { useGoTo } from './steps.ts'
import { chooseFile, importsKey, useWizard } from './wizard.ts'

export function FileStep() {
  const goTo = useGoTo()
  const { fault } = useWizard()
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const choose = async (file: File | undefined) => {
    if (file && (await chooseFile(file))) goTo('columns')
  }
  const onDrop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    void choose(event.dataTransfer.files[0])
  }
  return (
    <>
      <button
        type="button"
        className={css.drop}
        data-over={isOver || undefined}
        onClick={() => input.current?.click()}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={onDrop}
      >
        <FileUp size={24} strokeWidth={1.5} aria-hidden="true" />
        <b>{imports.choose}</b>
        <span>{imports.hint}</span>
      </button>
      <input
        ref={input}
        type="file"
        className="hidden"
        tabIndex={-1}
        aria-label={imports.choose}
        accept={accepted}
        onChange={(event) => {
          const [file] = event.target.files ?? []
          // The same file can be chosen again.
          event.target.value = ''
          void choose(file)
        }}
      />
      <Refusal text={fault} />
      <Earlier />
    </>
  )
}

type Import = Reply<'GET /imports'>[number]

function Earlier() {
  const { data: earlier = [] } = useQuery({
    queryKey: importsKey,
    queryFn: ({ signal }) => call('GET /imports', { signal }),
    staleTime: 0,
  })
  const refresh = () => client.invalidateQueries({ queryKey: importsKey })
  const start = ({ id, file }: Import) => {
    const label = imports.importOf(file || imports.unnamed)
    undo({ id, label, undo: () => undoOutside(id).finally(refresh) })
  }
  if (earlier.length === 0) return null
  return (
    <section className={css.section}>
      <h2>{imports.earlier}</h2>
      <ul className={css.earlier}>
        {earlier.slice(0, 10).map((one) => (
          <li key={one.id}>
            <div className={css.earlierText}>
              <b>{one.file || imports.unnamed}</b>
              <span>{said(one)}</span>
              {!one.finished_at && <span className={css.warn}>{imports.interrupted}</span>}
            </div>
            {one.has_rejected && <RefusedLink id={one.id} number={one.rejected} />}
            <Button
              aria-label={imports.undoOf(one.file || imports.unnamed)}
              onClick={() => start(one)}
            >
              {words.actions.undo}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}

function said({ created, updated, skipped, started_at }: Import): string {
  const counts = [
    [created, imports.created],
    [updated, imports.updated],
    [skipped, imports.skipped],
  ] as const
  const parts = counts.filter(([number]) => number > 0)
  const shown = parts.map(([number, word]) => `${formatNumber(number)} ${word}`)
  return [formatAgo(started_at), ...shown].join(' · ')
}
