import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { kinds, testsOf } from './server/test/kinds.ts'

/** Vitest begins with the largest files. These are small, and take up to a minute each. */
class TortureFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const isTorture = ({ moduleId }: TestSpecification) => moduleId.includes('/torture/')
    const sorted = await super.sort(files)
    return [...sorted.filter(isTorture), ...sorted.filter((file) => !isTorture(file))]
  }
}

const kind = kinds.find((name) => name === process.env.RAPPORT_TESTS)

export default defineConfig({
  test: {
    include: kind ? testsOf(kind) : ['{server,web}/**/*.test.ts'],
    globalSetup: kind === 'unit' ? [] : ['server/test/build.ts', 'server/test/database.ts'],
    // On a cluster every statement takes several times as long.
    testTimeout: process.env.CITUS_URL ? 300_000 : 60_000,
    hookTimeout: process.env.CITUS_URL ? 300_000 : 60_000,
    expect: { poll: { timeout: 10_000 } },
    // Three for two cores: many tests wait for a process to start or to end. Four are no quicker.
    maxWorkers: 3,
    // Files that run in the same worker share the modules: loading them anew takes a second each.
    isolate: false,
    sequence: { sequencer: TortureFirst },
  },
})
