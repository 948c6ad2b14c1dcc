import { selectMember, selectMembers, selectSpace } from '../../access/access.sql.ts'
import { notFound } from '../../http/errors.ts'
import { resource } from '../../http/route.ts'
import { routes } from './members.contract.ts'

// The statements about members are in access/, with those about workspaces and keys.
export const members = resource('Members', routes, {
  async me(db, call) {
    const [user, workspace] = await Promise.all([
      selectMember(db, call.space, call.user),
      selectSpace(db, call.space),
    ])
    if (!user || !workspace) throw notFound()
    return { user, workspace, key: { role: call.role } }
  },

  list(db, { space }) {
    return selectMembers(db, space)
  },
})
