import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['server/**/*.test.ts'],
    globalSetup: ['server/test/build.ts', 'server/test/database.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 10_000 } },
    // Test files share the machine with the PostgreSQL they all use.
    maxWorkers: 2,
    // Files that run in the same worker share the modules: loading them anew takes a second each.
    isolate: false,
  },
})
