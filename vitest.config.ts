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

/** Each folder of `test` is a project, so that one kind of test can be run alone: `npx vitest run --project unit`. */
const project = (name: string, testTimeout = 20_000, globalSetup: string[] = []) => ({
  resolve: { alias },
  test: {
    name,
    include: [`test/${name}/**/*.test.ts`],
    testTimeout,
    // Hooks start servers and browsers, which takes as long as a test where the machine is busy.
    hookTimeout: testTimeout,
    globalSetup,
    // No module has a state, so that files may share them: to import all anew for each took half of the time.
    isolate: false,
  },
})

const long = 600_000

export default defineConfig({
  test: {
    globalSetup: './test/helpers/temporary-files.ts',
    // More than there are cores: much of the time goes by waiting for servers, browsers and processes.
    maxWorkers: '150%',
    projects: [
      project('unit'),
      project('http', process.env.KITHGRAPH_LONG ? long : 60_000),
      project('property', process.env.KITHGRAPH_LONG ? long : 60_000),
      project('conformance', process.env.KITHGRAPH_LONG ? long : 60_000),
      project('types', 60_000),
      project('package', 120_000),
      project('e2e', 120_000),
      project('browser', 60_000, ['./test/helpers/built-page.ts']),
    ],
  },
})
