// A round sign for a person: initials on a color that stays the same for the same name. Pictures of leads
// are on other servers, and the page loads nothing from other servers.
import { Building2 } from 'lucide-react'
import { classes } from './classes.ts'
import { initials } from './initials.ts'
import css from './small.module.css'

const colors = 12

export function Avatar({
  name,
  isCompany = false,
  size = 's',
}: {
  name: string
  isCompany?: boolean
  size?: 's' | 'm' | 'l'
}) {
  const tone = css[`tone${hash(name) % colors}`]
  return (
    <span
      className={classes(css.avatar, css[`size-${size}`], tone, isCompany && css.square)}
      aria-hidden="true"
    >
      {isCompany ? <Building2 className={css.building} /> : initials(name)}
    </span>
  )
}

function hash(text: string): number {
  let value = 7
  for (let at = 0; at < text.length; at++) value = (value * 31 + text.charCodeAt(at)) >>> 0
  return value
}
