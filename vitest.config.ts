import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['server/**/*.test.ts'],
    globalSetup: ['server/test/build.ts', 'server/test/database.ts'],
    // On a cluster every statement takes several times as long.
    testTimeout: process.env.CITUS_URL ? 300_000 : 60_000,
    hookTimeout: process.env.CITUS_URL ? 300_000 : 60_000,
    expect: { poll: { timeout: 10_000 } },
    // Three for two cores: many tests wait for a process to start or to end. Four are no quicker.
    maxWorkers: 3,
    // Files that run in the same worker share the modules: loading them anew takes a second each.
    isolate: false,
  },
})
