// `?`: the keys, from the registry of commands.
import { useMayWrite } from '../../api/session.ts'
import { useAllCommands } from '../../frame/commands.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { words } from '../../words/index.ts'
import css from './help.module.css'

export default function Help({ onClose }: { onClose: () => void }) {
  const mayWrite = useMayWrite()
  const commands = useAllCommands().filter(({ keys }) => keys)
  const groups = [...new Set(commands.map(({ group }) => group))].map((group) => ({
    group,
    entries: [
      ...new Map(
        commands
          .filter((command) => command.group === group)
          .map(({ keys = '', title }) => [`${keys} ${title}`, { keys, title }]),
      ).values(),
    ],
  }))
  const { grid, editKeys, openKeys, gridKeys } = words.help
  const inGrid = [...(mayWrite ? editKeys : openKeys), ...gridKeys]
  // Before the keys that hold everywhere: so both columns are about as long.
  const all = groups.toSpliced(
    groups.findIndex(({ group }) => group === words.commands.groups.general),
    0,
    { group: grid, entries: inGrid.map(([keys, title]) => ({ keys, title })) },
  )
  return (
    <Dialog title={words.nav.keys} size="m" isText onClose={onClose}>
      <div className={css.groups}>
        {all.map(({ group, entries }) => (
          <section key={group}>
            <h3>{group}</h3>
            <dl>
              {entries.map(({ keys, title }) => (
                <div key={keys + title} className={css.row}>
                  <dt>{title}</dt>
                  <dd>
                    <Kbd keys={keys} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <DialogActions>
        <Button onClick={onClose}>{words.actions.close}</Button>
      </DialogActions>
    </Dialog>
  )
}
