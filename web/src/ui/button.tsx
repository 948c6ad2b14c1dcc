import type { ComponentProps, ReactNode } from 'react'
import css from './button.module.css'
import { classes } from './classes.ts'

interface Props extends ComponentProps<'button'> {
  look?: 'plain' | 'go' | 'danger' | 'quiet' | 'link' | 'icon'
  children?: ReactNode
}

export function Button({ look = 'plain', className, type = 'button', ...rest }: Props) {
  return <button type={type} className={classes(css.button, css[look], className)} {...rest} />
}
