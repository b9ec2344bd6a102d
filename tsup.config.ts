import { defineConfig } from 'tsup'

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    'app-ids': 'src/access/app-ids/index.ts',
    jwt: 'src/access/jwt/index.ts',
    memory: 'src/stores/memory/index.ts',
    sqlite: 'src/stores/sqlite/index.ts',
    postgres: 'src/stores/postgres/index.ts',
    redis: 'src/stores/redis/index.ts',
    http: 'src/http/index.ts',
    client: 'src/client/index.ts',
    explorer: 'src/explorer/index.ts',
    testing: 'src/testing/index.ts',
  },
  format: 'esm',
  target: 'es2022',
  platform: 'neutral',
  // The types name `Symbol.asyncDispose`, which a project of an older `lib` does not know.
  dts: { banner: '/// <reference lib="esnext.disposable" />' },
  clean: true,
  sourcemap: true,
})
