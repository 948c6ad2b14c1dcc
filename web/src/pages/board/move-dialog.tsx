// "Move to …": every status, and the place in it. For the keyboard, and for phones.
import { nameOf } from '../../api/lead.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Options } from '../../ui/options.tsx'
import { Stage } from '../../ui/small.tsx'
import { words } from '../../words/index.ts'
import type { Dragged } from './card.tsx'
import { type ColumnRecord, isNoStage } from './no-stage.ts'

const places = ['top', 'bottom', 'up', 'down'] as const
export type PlaceName = (typeof places)[number]

interface Props {
  dragged: Dragged
  statuses: readonly ColumnRecord[]
  onMove: (status: string, place: PlaceName) => void
  onClose: () => void
}

export default function MoveDialog({ dragged, statuses, onMove, onClose }: Props) {
  const title = words.board.move(nameOf(dragged.lead))
  const options = statuses.flatMap(({ id, name, color }) =>
    places
      .filter((place) => isOffered(place, id, dragged.status))
      .map((place) => ({
        id: `${place} ${id}`,
        label: isNoStage(id) ? name : `${name} ${words.board.places[place]}`,
        content: <Stage name={name} color={color} />,
        hint: isNoStage(id) ? undefined : words.board.places[place],
      })),
  )
  return (
    <Dialog title={title} isTitleHidden onClose={onClose} size="palette">
      <Options
        label={title}
        options={options}
        isLarge
        onPick={(picked) => {
          const [place, id = ''] = picked.split(' ')
          onClose()
          onMove(id, place as PlaceName)
        }}
      />
    </Dialog>
  )
}

/** Those without a stage have no places. */
function isOffered(place: PlaceName, id: string, current: string): boolean {
  if (isNoStage(id)) return place === 'top' && id !== current
  return id === current || place === 'top' || place === 'bottom'
}
