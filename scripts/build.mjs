// npm run build: installs and builds what the service needs, and starts nothing.
import { prepare } from './prepare.mjs'

prepare()
