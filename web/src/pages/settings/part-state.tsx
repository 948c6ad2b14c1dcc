import type { Role } from '@rapport/contract/roles'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ComponentType, ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { Skeletons } from '../../ui/small.tsx'
import { words } from '../../words/index.ts'
import css from './settings.module.css'

/** A part of the settings, for those who have at least this role. */
export interface Part {
  needs: Role
  Content: ComponentType
}

/** The rows of a part: while they load, when they cannot be loaded, when there are none. */
export function PartState<T>({
  query: { data, error, refetch },
  none,
  children,
}: {
  query: Pick<UseQueryResult<T[]>, 'data' | 'error'> & { refetch(): unknown }
  none?: string
  children: (rows: T[]) => ReactNode
}) {
  if (data && data.length === 0 && none) return <p className={css.hint}>{none}</p>
  if (data) return children(data)
  if (!error) return <Skeletons widths={['60%', '45%', '52%']} />
  return (
    <div role="alert" className="bad">
      {error.message} <Button onClick={() => void refetch()}>{words.actions.retry}</Button>
    </div>
  )
}
