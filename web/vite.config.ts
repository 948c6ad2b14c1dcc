import { defineConfig } from 'vite'

export default defineConfig({
  root: import.meta.dirname,
  build: { outDir: 'dist', emptyOutDir: true },
  // Files of the contract are taken as they are written, not as they are built for the server.
  resolve: { conditions: ['source', 'module', 'browser', 'production'] },
})
