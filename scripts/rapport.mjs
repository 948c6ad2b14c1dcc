// npm start and npm run rapport: prepare the checkout, then hand over to the command line.
import { prepare } from './prepare.mjs'

prepare()
stopWithNpm()
const { main } = await import('../server/dist/main.js')
await main(process.argv.slice(2))

/**
 * Whoever ends npm with a signal means what npm runs. But the shell that npm puts in between dies of
 * the signal without passing it on, and all that shows is that our parent is another.
 */
function stopWithNpm() {
  if (process.env.npm_lifecycle_event === undefined) return
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    process.kill(process.pid, 'SIGTERM')
  }, 250)
  timer.unref()
}
