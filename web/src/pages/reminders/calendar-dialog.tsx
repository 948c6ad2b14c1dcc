import { CalendarAddress } from '../../parts/reminder/calendar-address.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { calendar } from '../../words/calendar.ts'
import { words } from '../../words/index.ts'

export default function CalendarDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={calendar.title} onClose={onClose}>
      <CalendarAddress />
      <DialogActions>
        <Button onClick={onClose}>{words.actions.done}</Button>
      </DialogActions>
    </Dialog>
  )
}
