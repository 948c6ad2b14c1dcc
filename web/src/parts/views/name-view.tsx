import { useState } from 'react'
import { changeView, createView, type SavedView, type ViewDefinition } from '../../api/views.ts'
import { useAttempt } from '../../ui/attempt.ts'
import { Button } from '../../ui/button.tsx'
import { Check } from '../../ui/check.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { useDiscard } from '../../ui/discard.tsx'
import { Field } from '../../ui/form.tsx'
import { submitting } from '../../ui/submitting.ts'
import { words } from '../../words/index.ts'

interface Props {
  /** The view to rename. Without one, a new view is made. */
  view: SavedView | undefined
  definition: ViewDefinition
  onSaved: (id: string) => void
  onClose: () => void
}

export default function NameView({ view, definition, onSaved, onClose }: Props) {
  const [name, setName] = useState(view?.name ?? '')
  const [isShared, setShared] = useState(false)
  const { fault, isBusy, attempt } = useAttempt()
  const discard = useDiscard(onClose)
  const save = async () => {
    const saved = view
      ? await changeView(view.id, { name: name.trim() })
      : await createView({ ...definition, name: name.trim(), isShared })
    onSaved(saved.id)
  }
  return (
    <>
      <Dialog title={view ? words.views.rename : words.views.saveView} onClose={discard.leave}>
        <form
          onInput={discard.onInput}
          onSubmit={submitting(() => {
            if (name.trim()) void attempt(save)
          })}
        >
          <Field label={words.views.name} fault={fault} value={name} onValue={setName} isFirst />
          {!view && (
            <Check isOn={isShared} onChange={setShared}>
              {words.views.share}
            </Check>
          )}
          <DialogActions>
            <Button onClick={onClose}>{words.actions.cancel}</Button>
            <Button type="submit" look="go" disabled={!name.trim() || isBusy}>
              {words.actions.save}
            </Button>
          </DialogActions>
        </form>
      </Dialog>
      {discard.question}
    </>
  )
}
