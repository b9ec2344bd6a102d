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
  kithgraph: new URL('./src/index.ts', import.meta.url).pathname,
}

const isLong = process.env.KITHGRAPH_LONG !== undefined

/** Tests of folders of `test`, of which one alone is run by its path: `npx vitest run test/unit`. */
const project = (name: string, folders: readonly string[], globalSetup: string[] = []) => ({
  resolve: { alias },
  test: {
    name,
    include: folders.map(folder => `test/${folder}/**/*.test.ts`),
    // For what hangs, not for what is slow: what takes a second alone may take many where the machine is busy.
    expect: { poll: { timeout: 30_000 } },
    testTimeout: isLong ? 600_000 : 120_000,
    hookTimeout: isLong ? 600_000 : 120_000,
    globalSetup,
    // No module has a state, so that files may share them: to import all anew for each took half of the time.
    isolate: false,
  },
})

export default defineConfig({
  test: {
    globalSetup: './test/helpers/temporary-files.ts',
    // More than there are cores: much of the time goes by waiting for servers, browsers and processes.
    maxWorkers: '150%',
    projects: [
      project('library', [
        'unit',
        'attack',
        'property',
        'conformance',
        'failures',
        'types',
        'http',
        'package',
      ]),
      project('e2e', ['e2e']),
      project('browser', ['browser'], ['./test/helpers/build-explorer-page.ts']),
    ],
  },
})
