// Someone who has come back from the provider and belongs to several workspaces.
import { useQuery } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { useAttempt } from '../../ui/attempt.ts'
import { Button } from '../../ui/button.tsx'
import { Refusal, Skeletons } from '../../ui/small.tsx'
import { words } from '../../words/index.ts'
import { once } from './session-api.ts'
import css from './sign-in.module.css'

interface Props {
  onSignedIn: () => void
  onStep: () => void
  onOther: () => void
}

export function ChooseWorkspace({ onSignedIn, onStep, onOther }: Props) {
  const { data: choices, error } = useQuery({
    // Like a link, it is used up once.
    queryKey: ['link', 'choice'],
    queryFn: () => call('GET /session/choice'),
    ...once,
  })
  const { fault, attempt } = useAttempt()
  const choose = (id_space: string) =>
    attempt(async () => {
      const { next } = await call('POST /session/choice', { body: { id_space } })
      if (next) onStep()
      else onSignedIn()
    })
  if (error) {
    return (
      <>
        <h1>{words.signIn.title}</h1>
        <p className={css.text}>{words.signIn.errors.expired}</p>
        <Button onClick={onOther} className={css.submit ?? ''}>
          {words.signIn.signInAgain}
        </Button>
      </>
    )
  }
  if (!choices) return <Skeletons widths={['200px']} />
  return (
    <div className={css.spaces}>
      <h1>{words.signIn.chooseSpace}</h1>
      <Refusal text={fault} />
      {choices.map(({ id_space, name, is_invitation }) => (
        <Button key={id_space} className={css.choice ?? ''} onClick={() => void choose(id_space)}>
          <bdi>{name}</bdi>
          {is_invitation && <span className={css.soft}>{words.signIn.invited}</span>}
        </Button>
      ))}
    </div>
  )
}
