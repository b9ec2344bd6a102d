import { readFile } from 'node:fs/promises'
import { defineConfig, type Options } from 'tsup'

const noSource = Buffer.from('{"version":3,"sources":[""],"sourcesContent":[""],"mappings":"AAAA"}').toString(
  'base64',
)

/**
 * Excludes the generated page of the Explorer from source maps. Otherwise the package would contain it twice.
 */
const withoutMapOfPage: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'without-map-of-page',
  setup: build =>
    build.onLoad({ filter: /explorer\/page-bundle\.ts$/ }, async ({ path }) => ({
      contents: `${await readFile(path, 'utf8')}//# sourceMappingURL=data:application/json;base64,${noSource}\n`,
      loader: 'ts',
    })),
}

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
    actions: 'src/actions/index.ts',
    update: 'src/update/index.ts',
    tables: 'src/tables/index.ts',
    cli: 'src/cli/main.ts',
  },
  format: 'esm',
  target: 'es2022',
  platform: 'neutral',
  // The types use `Symbol.asyncDispose`, which an older `lib` of a project does not declare.
  dts: { banner: '/// <reference lib="esnext.disposable" />' },
  clean: true,
  sourcemap: true,
  esbuildPlugins: [withoutMapOfPage],
})
