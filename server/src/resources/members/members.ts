// Handlers of members. Their statements are in access/, with those about workspaces and keys.
import { notFound } from '@rapport/contract/errors'
import { members as contract } from '@rapport/contract/members'
import { selectMember, selectMembers, selectSpace } from '../../access/access.sql.ts'
import { resource } from '../../http/handler.ts'

export const members = resource(contract, {
  async me(db, call) {
    const [member, workspace] = await Promise.all([
      selectMember(db, call.space, call.user),
      selectSpace(db, call.space),
    ])
    if (!member || !workspace) throw notFound()
    return { ...member, workspace, key: { role: call.role } }
  },

  list(db, { space }) {
    return selectMembers(db, space)
  },
})
