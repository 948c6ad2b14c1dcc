// GET /system: what an admin sees of the installation. Of other workspaces, nothing.
import { system as contract } from '@rapport/contract/system'
import { type Resource, resource } from '../http/handler.ts'
import { examine, type SystemConfig } from './checks.ts'
import { isNewInstallation, selectUsage } from './system.sql.ts'

export function systemOf(config: SystemConfig, ignoredProxy: () => string | undefined): Resource {
  return resource(contract, {
    async show(db, { space, now }) {
      const usage = (await selectUsage(db)).get(space) ?? { leads: 0, bytes: null }
      return {
        checks: await examine({ db, config, now, usage, space, ignoredProxy: ignoredProxy() }),
        is_new: await isNewInstallation(db, space),
      }
    },
  })
}
