// In place of the columns, when there are no statuses to make them of.
import { Columns3 } from 'lucide-react'
import { Link } from 'wouter'
import type { Records } from '../../api/records.ts'
import { useMayWrite } from '../../api/session.ts'
import { setUpPipeline } from '../../kinds/set-up.ts'
import { noList, titleOf } from '../../pipeline/lists.ts'
import button from '../../ui/button.module.css'
import { Button } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { Empty } from '../../ui/empty.tsx'
import { words } from '../../words/index.ts'

interface Props {
  list: string
  records: Records
  onList: (list: string) => void
}

/** How many lists are offered here. The title of the page offers all of them. */
const offered = 6

export function NoColumns({ list, records, onList }: Props) {
  const mayWrite = useMayWrite()
  const { board } = words
  const isGone = list !== noList && !records.lists.some(({ id }) => id === list)
  const withColumns = records.lists.filter(({ id }) =>
    records.status.some(({ id_list }) => id_list === id),
  )
  const isNew = list === noList && records.lists.length === 0
  const [title, text] = isGone
    ? [words.pipeline.gone, board.goneText]
    : list !== noList
      ? [board.noStatuses, board.noStatusesText]
      : isNew
        ? [board.noPipeline, board.noStatusesText]
        : [board.noneWithoutList, board.chooseList]
  const setUp = async () => {
    const id = await setUpPipeline(isNew ? undefined : list)
    if (id !== undefined) onList(id)
  }
  return (
    <Empty icon={<Columns3 size={28} strokeWidth={1.4} />} title={title} text={text}>
      {mayWrite && !isGone && (isNew || list !== noList) && (
        <>
          <Button look="go" onClick={() => void setUp()}>
            {words.pipeline.setUp}
          </Button>
          <Link
            href={`/settings/statuses?list=${list}`}
            className={classes(button.button, button.plain)}
          >
            {board.makeOwn}
          </Link>
        </>
      )}
      {(isGone || list === noList) &&
        withColumns.slice(0, offered).map((one) => (
          <Button key={one.id} onClick={() => onList(one.id)}>
            <span className="cut" dir="auto" title={one.name}>
              {titleOf(one)}
            </span>
          </Button>
        ))}
    </Empty>
  )
}
