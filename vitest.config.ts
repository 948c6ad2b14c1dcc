import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { mendDriver } from './server/mend-driver.mjs'
import { type Kind, kinds, testsOf } from './server/test/kinds.ts'

/**
 * Those that start processes wait most of the time, those with a browser need the CPU: they take the longest and come
 * first, in turns, so that no worker is still busy with one when the others have finished. Of one kind, Vitest begins
 * with the largest or slowest.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const sorted = await super.sort(files)
    const of = (kind: Kind) => {
      const tests = testsOf(kind)
      return sorted.filter(({ moduleId }) => tests.some((file) => moduleId.endsWith(`/${file}`)))
    }
    const [pages, processes] = [of('page'), of('process')]
    const long = processes.flatMap((file, at) => [file, ...pages.slice(at, at + 1)])
    return [...new Set([...long, ...pages, ...of('service'), ...sorted])]
  }
}

const kind = kinds.find((name) => name === process.env.RAPPORT_TESTS)

export default defineConfig({
  plugins: [mendDriver()],
  test: {
    server: { deps: { inline: [/\/node_modules\/postgres\//] } },
    include: kind ? testsOf(kind) : ['{client,server,web}/**/*.test.ts'],
    globalSetup: [
      'server/test/temporary.ts',
      ...(kind === 'unit' ? [] : ['server/test/build.ts', 'server/test/database.ts']),
      ...(kind === 'page' || kind === undefined ? ['server/test/web/unpack.ts'] : []),
    ],
    // Only what hangs takes this long: a busy machine and a cluster do not.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 180_000 } },
    // Four for two cores: many tests wait for a process to start or to end.
    maxWorkers: 4,
    // Files that run in the same worker share the modules: loading them anew takes a second each.
    isolate: false,
    sequence: { sequencer: LongestFirst },
  },
})
