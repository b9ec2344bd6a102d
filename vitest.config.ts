import { defineConfig } from 'vitest/config'

const alias = {
  'kithgraph/app-ids': new URL('./src/access/app-ids/index.ts', import.meta.url).pathname,
  'kithgraph/jwt': new URL('./src/access/jwt/index.ts', import.meta.url).pathname,
  'kithgraph/memory': new URL('./src/stores/memory/index.ts', import.meta.url).pathname,
  'kithgraph/sqlite': new URL('./src/stores/sqlite/index.ts', import.meta.url).pathname,
  'kithgraph/postgres': new URL('./src/stores/postgres/index.ts', import.meta.url).pathname,
  'kithgraph/redis': new URL('./src/stores/redis/index.ts', import.meta.url).pathname,
  'kithgraph/http': new URL('./src/http/index.ts', import.meta.url).pathname,
  'kithgraph/client': new URL('./src/client/index.ts', import.meta.url).pathname,
  'kithgraph/explorer': new URL('./src/explorer/index.ts', import.meta.url).pathname,
  'kithgraph/testing': new URL('./src/testing/index.ts', import.meta.url).pathname,
  'kithgraph/tables': new URL('./src/tables/index.ts', import.meta.url).pathname,
  'kithgraph/actions': new URL('./src/actions/index.ts', import.meta.url).pathname,
  'kithgraph/update': new URL('./src/update/index.ts', import.meta.url).pathname,
  // The graphs of the tests check the fields that the functions of their schemas read.
  kithgraph: new URL('./test/helpers/checked-kithgraph.ts', import.meta.url).pathname,
}

const isLong = process.env.KITHGRAPH_LONG !== undefined

/**
 * Defines a project for some folders of `test`. To run one folder alone, pass its path: `npx vitest run
 * test/unit`.
 */
const project = (name: string, folders: readonly string[], globalSetup: string[] = []) => ({
  resolve: { alias },
  test: {
    name,
    include: folders.map(folder => `test/${folder}/**/*.test.ts`),
    // The timeouts are for tests that hang. On a busy machine, a test that takes a second alone may take much
    // longer.
    expect: { poll: { timeout: 30_000 } },
    testTimeout: isLong ? 600_000 : 120_000,
    hookTimeout: isLong ? 600_000 : 120_000,
    globalSetup,
    // Test files share modules, because no module has a state. Importing all modules again for each file took
    // half of the time.
    isolate: false,
  },
})

export default defineConfig({
  test: {
    globalSetup: './test/helpers/temporary-files.ts',
    // As many workers as cores: each more imports all modules again, which takes more time than waiting tests save.
    maxWorkers: '100%',
    projects: [
      project('library', ['unit', 'attack', 'property', 'conformance', 'http']),
      // What users of the package rely on besides calls: the examples of the documentation run, types and exports are as
      // documented, and commands work. It also checks layers and words.
      project('package', ['package', 'types', 'cli']),
      // The tests that start servers of stores, and those of the suite that tests stores. A cluster waits long for its
      // replicas.
      project('stores', ['stores']),
      project('failures', ['failures']),
      project('e2e', ['e2e']),
      project('browser', ['browser'], ['./test/helpers/build-explorer-page.ts']),
    ],
  },
})
