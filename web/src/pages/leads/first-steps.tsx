// An empty workspace offers what to do first.
import { Plus, Sparkles, Upload, Users } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { client } from '../../api/client.ts'
import { useMe } from '../../api/session.ts'
import { orTell } from '../../ui/attempt.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Empty } from '../../ui/empty.tsx'
import { words } from '../../words/index.ts'

export default function FirstSteps({
  onNew,
  onImport,
}: {
  onNew: () => void
  onImport: () => void
}) {
  const { key } = useMe()
  const [isAsking, setAsking] = useState(false)
  const [isFilling, setFilling] = useState(false)
  const fill = async () => {
    setFilling(true)
    if (await orTell(words.first.demoFailed, () => call('POST /demo', { body: {} }))) {
      await client.invalidateQueries()
    } else setFilling(false)
  }
  return (
    <Empty
      icon={<Users size={28} strokeWidth={1.4} />}
      title={words.first.title}
      text={key.role === 'read' ? words.first.readOnly : words.first.text}
    >
      {key.role !== 'read' && (
        <>
          <Button look="go" onClick={onNew}>
            <Plus size={15} /> {words.first.create}
          </Button>
          <Button onClick={onImport}>
            <Upload size={15} /> {words.first.import}
          </Button>
          {key.role === 'admin' && (
            <Button onClick={() => setAsking(true)} disabled={isFilling}>
              <Sparkles size={15} /> {isFilling ? words.first.filling : words.first.demo}
            </Button>
          )}
        </>
      )}
      {isAsking && (
        <Confirm
          title={words.first.demoTitle}
          action={words.first.demoAction}
          look="go"
          onConfirm={async () => void fill()}
          onClose={() => setAsking(false)}
        >
          {words.first.demoText}
        </Confirm>
      )}
    </Empty>
  )
}
