import { classes } from '../ui/classes.ts'
import { Skeleton } from '../ui/small.tsx'
import css from './page-frame.module.css'

const lines = [46, 62, 38, 54, 70, 42]

/** Where a page will be that is still being loaded. On a fast network it is gone before it shows. */
export function PageSkeleton() {
  return (
    <div className={classes(css.frame, css.page, css.waiting)} aria-hidden="true">
      <div className={css.bar}>
        <Skeleton width={140} />
      </div>
      <div className={css.lines}>
        {lines.map((width) => (
          <Skeleton key={width} width={`${width}%`} />
        ))}
      </div>
    </div>
  )
}
