// A process that holds the engine, for tests that kill it: node test-holder.mjs <engine.js> <data folder>
import { pathToFileURL } from 'node:url'

const [, , module, dataDir] = process.argv
const { openEngine } = await import(pathToFileURL(module).href)
const engine = await openEngine({ dataDir, log: (line) => console.error(line) })
console.log(JSON.stringify({ how: engine.how, connections: engine.connections }))
process.stdin.once('data', async () => {
  await engine.leave()
  process.exit(0)
})
