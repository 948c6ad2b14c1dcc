// What can be done with the view: save it, save it as new, discard changes, share, rename, delete.
import { Link as LinkIcon, Lock, Pencil, Star, StarOff, Trash2, Users } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { useMayWrite, useMe } from '../../api/session.ts'
import { changeView, deleteView, type SavedView, type ViewDefinition } from '../../api/views.ts'
import { type Command, useCommands } from '../../frame/commands.ts'
import { Button } from '../../ui/button.tsx'
import { copyText } from '../../ui/copy-text.ts'
import { RowMenu } from '../../ui/menu.tsx'
import { tell, tellFault } from '../../ui/toast.tsx'
import { words } from '../../words/index.ts'
import css from './view-bar.module.css'

const NameView = lazy(() => import('./name-view.tsx'))

interface Props {
  view: SavedView | undefined
  /** What the page shows, as a view keeps it. */
  definition: ViewDefinition
  isChanged: boolean
  /** The address that shows the same without the view: others cannot open a private one. */
  plainHref: string
  /** Shows the view, without changes; without one, the plain page. */
  onView: (id: string | undefined) => void
}

export function ViewBar({ view, definition, isChanged, plainHref, onView }: Props) {
  const me = useMe()
  const mayWrite = useMayWrite()
  const [naming, setNaming] = useState<'new' | 'rename'>()
  const isOwn = view !== undefined && (view.owner === me.id || me.key.role === 'admin')
  const attempt = async (work: () => Promise<unknown>, said?: string) => {
    try {
      await work()
      if (said) tell(said)
    } catch (error) {
      tellFault(words.faults.notSaved(view?.name ?? ''), error)
    }
  }
  const save = () =>
    attempt(async () => {
      if (!view) return
      await changeView(view.id, definition)
      onView(view.id)
    }, words.views.saved)
  const { commands: c } = words
  const commands: Command[] = []
  if (mayWrite && isChanged) {
    commands.push({
      id: 'save-view-as',
      title: c.saveViewAs,
      group: c.groups.views,
      run: () => setNaming('new'),
    })
    if (isOwn)
      commands.push({
        id: 'save-view',
        title: c.saveView,
        group: c.groups.views,
        keys: 'Mod+S',
        run: () => void save(),
      })
  }
  useCommands(commands)

  return (
    <div className={css.bar}>
      {isChanged && (
        <>
          {view && <span className={css.text}>{words.views.unsaved}</span>}
          {mayWrite && isOwn && (
            <Button look="link" onClick={() => void save()}>
              {words.views.save}
            </Button>
          )}
          {mayWrite && (
            <Button look="link" onClick={() => setNaming('new')}>
              {view ? words.views.saveAs : words.views.saveView}
            </Button>
          )}
          <Button look="link" className={css.discard ?? ''} onClick={() => onView(view?.id)}>
            {words.views.discard}
          </Button>
        </>
      )}
      {view && (
        <RowMenu
          label={words.views.options(view.name)}
          groups={[
            [
              mayWrite && {
                id: 'favorite',
                label: view.isFavorite ? words.views.unfavor : words.views.favor,
                icon: view.isFavorite ? <StarOff /> : <Star />,
                onPick: () =>
                  void attempt(() => changeView(view.id, { isFavorite: !view.isFavorite })),
              },
              {
                id: 'link',
                label: words.views.copyLink,
                icon: <LinkIcon />,
                onPick: () =>
                  void attempt(
                    () =>
                      copyText(
                        view.isShared
                          ? window.location.href
                          : new URL(plainHref, window.location.href).href,
                      ),
                    words.views.linkCopied,
                  ),
              },
            ],
            mayWrite && isOwn
              ? [
                  {
                    id: 'rename',
                    label: words.views.rename,
                    icon: <Pencil />,
                    onPick: () => setNaming('rename'),
                  },
                  {
                    id: 'share',
                    label: view.isShared ? words.views.makePrivate : words.views.makeShared,
                    icon: view.isShared ? <Lock /> : <Users />,
                    onPick: () =>
                      void attempt(() => changeView(view.id, { isShared: !view.isShared })),
                  },
                ]
              : [],
            mayWrite && isOwn
              ? [
                  {
                    id: 'delete',
                    label: words.views.delete,
                    icon: <Trash2 />,
                    isDangerous: true,
                    onPick: () =>
                      void attempt(async () => {
                        await deleteView(view.id)
                        onView(undefined)
                      }, words.views.deleted(view.name)),
                  },
                ]
              : [],
          ]}
        />
      )}
      <Suspense fallback={null}>
        {naming && (
          <NameView
            view={naming === 'rename' ? view : undefined}
            definition={definition}
            onClose={() => setNaming(undefined)}
            onSaved={(id) => {
              setNaming(undefined)
              if (naming === 'new') onView(id)
            }}
          />
        )}
      </Suspense>
    </div>
  )
}
