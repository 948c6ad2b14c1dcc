// npm run dev: the service with the page served by Vite, which reloads as you type. Options go to the service.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { prepare, root } from './prepare.mjs'

prepare({ dev: true })
const { createServer } = await import(
  pathToFileURL(join(root, 'node_modules/vite/dist/node/index.js'))
)

const host = '127.0.0.1'
const service = `http://${host}:${process.env.PORT ?? 3000}`
const page = await createServer({
  root: join(root, 'web'),
  server: {
    host,
    port: Number(process.env.DEV_PORT ?? 5173),
    strictPort: true,
    // The session counts only when the browser's Origin is the Host, so the Host stays as it is.
    proxy: { '^/(rest|session|docs|openapi\\.json|healthz|readyz)(/|$)': { target: service } },
  },
})
await page.listen()
const [address = ''] = page.resolvedUrls.local
console.log(`Page with hot reload: ${address}`)

const args = [join(root, 'scripts/rapport.mjs'), 'serve', ...process.argv.slice(2)]
// Links to sign in lead to Vite.
const env = { ...process.env, PUBLIC_URL: address.replace(/\/$/, '') }
const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit', env })
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  // A terminal sends Ctrl-C to both. The service finishes its requests first.
  process.on(signal, () => signal !== 'SIGINT' && child.kill(signal))
}
child.on('exit', async (code) => {
  await page.close()
  process.exit(code ?? 1)
})
