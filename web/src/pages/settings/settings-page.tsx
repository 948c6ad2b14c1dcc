// The settings of the workspace and of the person: one part at a time, each with its own address.
import { Link, Redirect, useParams } from 'wouter'
import { useMe } from '../../api/session.ts'
import { PageFrame } from '../../frame/page-frame.tsx'
import { words } from '../../words/index.ts'
import { settings } from '../../words/settings.ts'
import { partsFor } from './parts.ts'
import css from './settings.module.css'

export default function SettingsPage() {
  const { part: wanted } = useParams<{ part?: string }>()
  const parts = partsFor(useMe().key.role)
  const part = parts.find(({ id }) => id === wanted)
  if (!part) return <Redirect to={`/settings/${parts[0]?.id}`} replace />
  const { Content } = part
  return (
    <PageFrame title={words.nav.settings}>
      <div className={css.page}>
        <nav className={css.parts} aria-label={words.nav.settings}>
          {parts.map(({ id }) => (
            <Link
              key={id}
              href={`/settings/${id}`}
              aria-current={id === part.id ? 'page' : undefined}
            >
              {settings.parts[id]}
            </Link>
          ))}
        </nav>
        <section className={css.part} aria-labelledby="settings-part">
          <h2 id="settings-part">{settings.parts[part.id]}</h2>
          <Content />
        </section>
      </div>
    </PageFrame>
  )
}
