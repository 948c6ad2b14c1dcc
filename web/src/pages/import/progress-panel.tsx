// The import while it runs.
import type { Importing } from '../../parts/bulk/importing.ts'
import { Button } from '../../ui/button.tsx'
import { formatNumber } from '../../ui/format.ts'
import { imports } from '../../words/imports.ts'
import { Counts } from './counts.tsx'
import css from './import.module.css'

export function ProgressPanel({ importing }: { importing: Importing }) {
  const { file, phase, share, rows, done, rate, stop } = importing
  const isCounting = phase === 'importing' || phase === 'checking'
  return (
    <section className={css.progress} aria-label={imports.phases[phase]}>
      <h2>
        {imports.phases[phase]} <bdi>{file}</bdi>
      </h2>
      <progress value={share} max={1} aria-label={imports.phases[phase]} />
      <p className="soft" role="status">
        {isCounting &&
          rows > 0 &&
          [
            imports.ofRows(formatNumber(done), formatNumber(rows)),
            rate && imports.rate(formatNumber(Math.round(rate))),
            rate && rows > done && imports.left(timeOf((rows - done) / rate)),
          ]
            .filter(Boolean)
            .join(' · ')}
      </p>
      {isCounting && rows > 0 && <Counts {...importing} />}
      <div className={css.actions}>
        <Button onClick={stop}>{imports.stop}</Button>
        {phase === 'importing' && <span className="soft">{imports.stopNote}</span>}
      </div>
    </section>
  )
}

function timeOf(seconds: number): string {
  return seconds < 90
    ? imports.seconds(Math.max(1, Math.round(seconds)))
    : imports.minutes(Math.round(seconds / 60))
}
