import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), layersFirst(), compressed()],
  build: {
    modulePreload: { polyfill: false },
    // The Content-Security-Policy allows no data: addresses for fonts.
    assetsInlineLimit: 0,
  },
})

/** Which layer wins is decided where layers are first named, and any file of styles may be loaded first. */
function layersFirst(): Plugin {
  return {
    name: 'layers-first',
    generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type === 'asset' && file.fileName.endsWith('.css')) {
          file.source = `@layer base,ui,page;${file.source}`
        }
      }
    },
  }
}

/** Writes a .br and a .gz beside each file that gets smaller, so that the server compresses nothing. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    writeBundle({ dir: folder = '' }) {
      for (const name of readdirSync(folder, { recursive: true }) as string[]) {
        if (!/\.(js|css|html|svg)$/.test(name)) continue
        const file = join(folder, name)
        const bytes = readFileSync(file)
        const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
        writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }))
        writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
      }
    },
  }
}
