// The parts of the settings, and who sees them: only those who may change something there. The part `tags` is
// in the file `tags-part.tsx`. They come in the order of their names.
import { allows, type Role } from '@rapport/contract/roles'
import { settings } from '../../words/settings.ts'
import type { Part } from './part-state.tsx'

const files = import.meta.glob<Part>('./*-part.tsx', { eager: true, import: 'default' })

const parts = (Object.keys(settings.parts) as (keyof typeof settings.parts)[]).map((id) => ({
  id,
  ...(files[`./${id}-part.tsx`] as Part),
}))

export const partsFor = (role: Role) => parts.filter(({ needs }) => allows(role, needs))
