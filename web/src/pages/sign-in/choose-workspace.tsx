// Someone who has come back from the provider and belongs to several workspaces.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { reasonOf } from '../../ui/reason.ts'
import { Skeleton } from '../../ui/small.tsx'
import { words } from '../../words/index.ts'
import { chooseWorkspace, listChoices } from './session-api.ts'
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
    queryFn: listChoices,
    gcTime: 0,
    retry: false,
  })
  const [fault, setFault] = useState('')
  const choose = async (id_space: string) => {
    try {
      const { next } = await chooseWorkspace(id_space)
      if (next) onStep()
      else onSignedIn()
    } catch (error) {
      setFault(reasonOf(error))
    }
  }
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
  if (!choices)
    return (
      <div aria-busy="true">
        <Skeleton width={200} />
      </div>
    )
  return (
    <div className={css.spaces}>
      <h1>{words.signIn.chooseSpace}</h1>
      {fault && (
        <p className={css.fault} role="alert">
          {fault}
        </p>
      )}
      {choices.map(({ id_space, name, is_invitation }) => (
        <Button key={id_space} className={css.choice ?? ''} onClick={() => void choose(id_space)}>
          <bdi>{name}</bdi>
          {is_invitation && <span className={css.soft}>{words.signIn.invited}</span>}
        </Button>
      ))}
    </div>
  )
}
