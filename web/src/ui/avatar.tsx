// A round sign for a person: their picture, or initials on a color that stays the same for the same name. Pictures of
// leads are on other servers, and the page loads nothing from other servers.
import { Building2 } from 'lucide-react'
import { classes } from './classes.ts'
import { initials } from './initials.ts'
import css from './small.module.css'

const colors = 12

export function Avatar({
  name,
  picture,
  isCompany = false,
  size = 's',
}: {
  name: string
  /** Of a member. */
  picture?: string | null | undefined
  isCompany?: boolean
  size?: 's' | 'm' | 'l'
}) {
  const round = classes(css.avatar, css[`size-${size}`])
  if (picture) return <img className={round} src={`/session/picture/${picture}`} alt="" />
  const tone = css[`tone${hash(name) % colors}`]
  return (
    <span className={classes(round, tone, isCompany && css.square)} aria-hidden="true">
      {isCompany ? <Building2 className={css.building} /> : initials(name)}
    </span>
  )
}

function hash(text: string): number {
  let value = 7
  for (let at = 0; at < text.length; at++) value = (value * 31 + text.charCodeAt(at)) >>> 0
  return value
}
