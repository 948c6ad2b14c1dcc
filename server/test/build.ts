// Builds what is stale before any test, because some tests start the service as a process of its own.
import { prepare } from '../../scripts/prepare.mjs'

export default function setup(): void {
  prepare({ dev: true, withTools: true, withClient: true })
}
