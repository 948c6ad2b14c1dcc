// The parts of the settings, and who sees them: only those who may change something there.
import type { Role } from '@rapport/contract/route'
import type { ComponentType } from 'react'
import type { words } from '../../words/index.ts'
import { AccountPart } from './account-part.tsx'
import { AttributesPart } from './attributes-part.tsx'
import { KeysPart } from './keys-part.tsx'
import { ListsPart } from './lists-part.tsx'
import { MembersPart } from './members-part.tsx'
import { StatusesPart } from './statuses-part.tsx'
import { TagsPart } from './tags-part.tsx'
import { WorkspacePart } from './workspace-part.tsx'

interface Part {
  id: keyof typeof words.settings.parts
  needs: Role
  content: ComponentType
}

const parts: readonly Part[] = [
  { id: 'workspace', needs: 'admin', content: WorkspacePart },
  { id: 'members', needs: 'admin', content: MembersPart },
  { id: 'keys', needs: 'admin', content: KeysPart },
  { id: 'lists', needs: 'write', content: ListsPart },
  { id: 'statuses', needs: 'write', content: StatusesPart },
  { id: 'tags', needs: 'write', content: TagsPart },
  { id: 'attributes', needs: 'write', content: AttributesPart },
  { id: 'account', needs: 'read', content: AccountPart },
]

const ranks: Record<Role, number> = { read: 0, write: 1, admin: 2 }

export const partsFor = (role: Role) => parts.filter(({ needs }) => ranks[role] >= ranks[needs])
