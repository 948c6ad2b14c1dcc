// What was recognized in the file, and what each column becomes.
import { formatOfName } from '@rapport/contract/transfer.values'
import { useRecords } from '../../api/records.ts'
import { Button } from '../../ui/button.tsx'
import { imports } from '../../words/imports.ts'
import { ColumnTarget } from './column-target.tsx'
import css from './import.module.css'
import { ImportOptions } from './import-options.tsx'
import { Questions } from './questions.tsx'
import { ReadingOptions } from './reading-options.tsx'
import { EarlierNotice, RunActions, useEarlier } from './run-actions.tsx'
import type { ImportResult } from './send-file.ts'
import { useGoTo } from './steps.ts'
import { check, decide, fieldsOf, useWizard } from './wizard.ts'

export function ColumnsStep() {
  const goTo = useGoTo()
  const wizard = useWizard()
  const { found, file, choices } = wizard
  const { attributes } = useRecords()
  const { stoppedAt } = useEarlier()
  if (!found || !file) return null
  const fields = fieldsOf(wizard)
  // A column without values would become an attribute without values, one without a header an attribute
  // without a name.
  const ignored = found.columns.flatMap(({ field, type, header }, index) =>
    field === null && type && header.trim() && choices.fields[index] === undefined ? [index] : [],
  )
  const keepAll = () => {
    const kept = ignored.map((index) => [index, 'new'])
    decide({ fields: { ...choices.fields, ...Object.fromEntries(kept) } })
  }
  const isOpen = found.columns.some(
    ({ ask }) => ask && !choices[ask === 'dates' ? 'dates' : 'decimal'],
  )
  return (
    <>
      <section className={css.recognized} aria-label={imports.recognized}>
        <h2 className={css.title}>
          <bdi>{file.name}</bdi>
        </h2>
        <p className="soft">{recognized(found, file).join(' · ')}</p>
        <ReadingOptions />
      </section>
      <EarlierNotice />
      <Questions />
      <table className={css.columns}>
        <caption className="hidden">{imports.columns}</caption>
        <thead>
          <tr>
            <th>{imports.column}</th>
            <th>{imports.becomes}</th>
            <th className={css.samples}>{imports.samples}</th>
          </tr>
        </thead>
        <tbody>
          {found.columns.map((column, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: columns stay where they are, and names may repeat
            <tr key={index}>
              <th scope="row">
                <bdi>{column.header.trim() || imports.unnamedColumn(index + 1)}</bdi>
                <span className={css.narrowSamples}>{column.samples.join(' · ')}</span>
              </th>
              <td>
                <ColumnTarget
                  column={column}
                  name={column.header.trim() || imports.unnamedColumn(index + 1)}
                  field={fields[index] ?? '-'}
                  attributes={attributes}
                  onField={(field) => decide({ fields: { ...choices.fields, [index]: field } })}
                />
              </td>
              <td className={css.samples}>
                <bdi>{column.samples.join(' · ')}</bdi>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {ignored.length > 0 && (
        <Button look="link" onClick={keepAll}>
          {imports.keepAll(ignored.length)}
        </Button>
      )}
      <ImportOptions hasForeignId={hasForeignId(found)} />
      <RunActions rows={found.rows} isPossible={!isOpen} isQuiet>
        <Button
          look={stoppedAt === undefined ? 'go' : 'plain'}
          disabled={isOpen}
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

function recognized(
  { system, rows, encoding, separator, other_lines }: ImportResult,
  { name }: File,
): string[] {
  // A workbook is neither text nor separated.
  const isText = formatOfName(name) !== 'xlsx'
  return [
    system ?? '',
    imports.rows(rows),
    isText ? encoding.toUpperCase() : '',
    isText && separator ? imports.separated(imports.separators[separator] ?? separator) : '',
    other_lines > 0 ? imports.other(other_lines) : '',
  ].filter(Boolean)
}

/** The service says so in the reason. */
const hasForeignId = ({ columns }: ImportResult) =>
  columns.some(({ why }) => why.startsWith('the id in '))
