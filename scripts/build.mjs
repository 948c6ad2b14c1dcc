// npm run build: installs and builds what the service needs, and the client, and starts nothing.
import { prepare } from './prepare.mjs'

prepare({ withClient: true })
