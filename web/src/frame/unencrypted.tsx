import { LockOpen } from 'lucide-react'
import { words } from '../words/index.ts'
import css from './unencrypted.module.css'

/** Says so where others in the network can read along: on a connection without TLS to another machine. */
export function Unencrypted() {
  if (window.isSecureContext) return null
  return (
    <p className={css.note} title={words.nav.unencryptedMore}>
      <LockOpen aria-hidden="true" /> {words.nav.unencrypted}
    </p>
  )
}
