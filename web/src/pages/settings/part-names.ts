// The names of the parts of the settings that somebody sees, for the palette.
import type { Role } from '@rapport/contract/roles'
import { settings } from '../../words/settings.ts'
import { partsFor } from './parts.ts'

export const namesFor = (role: Role) =>
  partsFor(role).map(({ id }) => ({ id, name: settings.parts[id], also: settings.also[id] }))
