// Signing in again beside the page, which stays open: with the provider in another tab, or with a link.
import { useQuery } from '@tanstack/react-query'
import { useMe } from '../../api/session.ts'
import { words } from '../../words/index.ts'
import { waysQuery } from './session-api.ts'
import css from './sign-in.module.css'

const said = words.signIn.elsewhere

export function Elsewhere() {
  const { id_space } = useMe()
  const { data: ways } = useQuery(waysQuery)
  if (!ways?.openid) {
    return (
      <>
        <p className={css.text}>{said.link}</p>
        <code className={css.command}>{words.signIn.command}</code>
      </>
    )
  }
  return (
    <>
      <p className={css.text}>{said.openId}</p>
      <a
        className={css.openId}
        href={`/session/openid?space=${id_space}&again`}
        target="_blank"
        rel="noopener"
      >
        {words.signIn.openId(ways.openid.name)}
      </a>
    </>
  )
}
