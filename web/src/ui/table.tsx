// A table that fills its page, and the button below a list that is longer than what is shown of it.
import type { ComponentProps } from 'react'
import { Button } from './button.tsx'
import { classes } from './classes.ts'
import css from './table.module.css'

export function Table({ className, ...props }: ComponentProps<'table'>) {
  return <table className={classes(css.table, className)} {...props} />
}

/** An infinite query, as far as it concerns the button. */
interface List {
  hasNextPage: boolean
  isFetching: boolean
  fetchNextPage(): unknown
}

export function ShowMore({ list, label }: { list: List; label: string }) {
  return (
    list.hasNextPage && (
      <Button
        look="quiet"
        className={css.more ?? ''}
        disabled={list.isFetching}
        onClick={() => void list.fetchNextPage()}
      >
        {label}
      </Button>
    )
  )
}
