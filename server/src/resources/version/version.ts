import { version as contract } from '@rapport/contract/version'
import { resource } from '../../http/handler.ts'
import { findCommit, version as release } from '../../version.ts'

export const version = resource(contract, {
  async show() {
    return { version: release, commit: await findCommit() }
  },
})
