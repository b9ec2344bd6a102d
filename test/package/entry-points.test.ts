import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import * as core from 'kithgraph'
import * as appIds from 'kithgraph/app-ids'
import * as client from 'kithgraph/client'
import * as explorer from 'kithgraph/explorer'
import * as http from 'kithgraph/http'
import * as jwt from 'kithgraph/jwt'
import * as memory from 'kithgraph/memory'
import * as postgres from 'kithgraph/postgres'
import * as redis from 'kithgraph/redis'
import * as sqlite from 'kithgraph/sqlite'
import * as testing from 'kithgraph/testing'
import { describe, expect, it } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')

/** What a service ships that imports an entry: its own code, without that of dependencies. */
const bundleEntry = async (entry: string) => {
  const { metafile, outputFiles } = await build({
    entryPoints: [join(ROOT, entry)],
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'neutral',
    packages: 'external',
    metafile: true,
    write: false,
    logLevel: 'silent',
  })
  const [output] = Object.values(metafile.outputs)
  return {
    inputs: Object.keys(metafile.inputs),
    imports: output?.imports ?? [],
    text: outputFiles[0]?.contents ?? new Uint8Array(),
  }
}

describe('the entry points', () => {
  it('export these names and no others', () => {
    expect({
      kithgraph: Object.keys(core).sort(),
      'kithgraph/app-ids': Object.keys(appIds).sort(),
      'kithgraph/jwt': Object.keys(jwt).sort(),
      'kithgraph/memory': Object.keys(memory).sort(),
      'kithgraph/sqlite': Object.keys(sqlite).sort(),
      'kithgraph/postgres': Object.keys(postgres).sort(),
      'kithgraph/redis': Object.keys(redis).sort(),
      'kithgraph/http': Object.keys(http).sort(),
      'kithgraph/client': Object.keys(client).sort(),
      'kithgraph/explorer': Object.keys(explorer).sort(),
      'kithgraph/testing': Object.keys(testing).sort(),
    }).toMatchInlineSnapshot(`
      {
        "kithgraph": [
          "GraphError",
          "allOf",
          "anyOf",
          "createGraph",
          "createStaticAuth",
          "defineFieldType",
          "defineSchema",
          "edge",
          "field",
          "fieldEquals",
          "hasEdgeToViewer",
          "hasScope",
          "isGraphError",
          "isViewer",
          "node",
          "not",
          "socialSchema",
          "viewerHasEdge",
        ],
        "kithgraph/app-ids": [
          "createAppIds",
        ],
        "kithgraph/client": [
          "createClient",
        ],
        "kithgraph/explorer": [
          "createExplorer",
        ],
        "kithgraph/http": [
          "createHandler",
          "toNodeListener",
        ],
        "kithgraph/jwt": [
          "createJwtAuth",
        ],
        "kithgraph/memory": [
          "createMemoryStore",
        ],
        "kithgraph/postgres": [
          "createPostgresStore",
        ],
        "kithgraph/redis": [
          "createRedisStore",
        ],
        "kithgraph/sqlite": [
          "createSqliteStore",
        ],
        "kithgraph/testing": [
          "arbitraries",
          "assertMirrored",
          "assertPagesJoin",
          "countReads",
          "createModelStore",
          "describeStore",
          "scheduleStore",
          "seededSchedule",
        ],
      }
    `)
  })

  it('export these types from the core', () => {
    const text = readFileSync(join(ROOT, 'src/index.ts'), 'utf8')
    const names = [...text.matchAll(/export type \{([^}]*)\}|\btype (\w+)/g)].flatMap(match =>
      (match[1] ?? match[2] ?? '').split(',').map(name => name.trim()),
    )
    expect(names.filter(Boolean).sort()).toMatchInlineSnapshot(`
      [
        "Auth",
        "Awaitable",
        "BadValueCount",
        "CountedPage",
        "Decision",
        "Denial",
        "EdgeEntry",
        "EdgeOptions",
        "EdgeOrder",
        "EdgePosition",
        "EdgeRange",
        "EdgeRecord",
        "EdgeSlice",
        "EdgeTest",
        "EdgeType",
        "Explanation",
        "FaultData",
        "FaultEnvelope",
        "FaultReason",
        "Field",
        "FieldMetadata",
        "FieldOptions",
        "FieldTypeDefinition",
        "Graph",
        "GraphOptions",
        "JsonObject",
        "JsonValue",
        "Limits",
        "ListOptions",
        "LoadCounts",
        "LoadOptions",
        "LooseNode",
        "Message",
        "Metadata",
        "Mutation",
        "NodeChanges",
        "NodeDefinition",
        "NodeId",
        "NodeRecord",
        "NodeType",
        "Page",
        "Paging",
        "Policy",
        "QueryEvent",
        "ReadEvent",
        "ReadMethod",
        "ReadOptions",
        "Refusal",
        "Resolve",
        "ResolveContext",
        "Rule",
        "RuleEvent",
        "RuleOptions",
        "Schema",
        "SchemaOptions",
        "Session",
        "SessionRequest",
        "Store",
        "StoreCapabilities",
        "StoreReader",
        "StoreSnapshot",
        "Summary",
        "Token",
        "TokenInspection",
        "TokenRecord",
        "TokenRequest",
        "UntypedGraph",
        "ValueOptions",
        "Verdict",
        "Wave",
        "WaveAnswer",
        "WaveEvent",
      ]
    `)
  })

  it('match the exports of the package and the entries of the build', async () => {
    const { exports }: { exports: object } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
    const { default: config } = await import('../../tsup.config.ts')
    const entries = 'entry' in config ? Object.keys(config.entry ?? {}) : []
    const names = entries.map(name => (name === 'index' ? '.' : `./${name}`))
    expect(Object.keys(exports)).toEqual([...names, './package.json'])
  })
})

/** What an entry reaches beside the code of the engine: stores, the test kit, packages and modules of Node. */
const reachedBy = async (entry: string) => {
  const { inputs, imports } = await bundleEntry(entry)
  return {
    adapters: inputs.filter(input => /src\/(stores|testing)\//.test(input)),
    packages: [...new Set(imports.map(({ path }) => path.split('/').slice(0, 2).join('/')))].sort(),
  }
}

describe('the entries for every runtime', () => {
  it.each([
    ['kithgraph', 'src/index.ts', ['@noble/ciphers', '@noble/hashes']],
    ['kithgraph/http', 'src/http/index.ts', ['@noble/hashes']],
    ['kithgraph/client', 'src/client/index.ts', []],
    ['kithgraph/explorer', 'src/explorer/index.ts', []],
  ])(
    '%s reaches no store, no node: module and no package but hashes and ciphers',
    async (_, entry, packages) => {
      expect(await reachedBy(entry)).toEqual({ adapters: [], packages })
    },
  )

  it('grow only on purpose: the core, minified and compressed, is below 51 KB', async () => {
    const { text } = await bundleEntry('src/index.ts')
    expect(gzipSync(text, { level: 9 }).length).toBeLessThan(51 * 1024)
  })
})

describe('docs/errors.md', () => {
  it('has a row for every reason of a fault, and for no other', () => {
    const source = readFileSync(join(ROOT, 'src/base/faults.ts'), 'utf8')
    const reasons = [...source.matchAll(/^ {2}(\w+): \{ status/gm)].map(match => match[1])
    const rows = [...readFileSync(join(ROOT, 'docs/errors.md'), 'utf8').matchAll(/^\| `(\w+)` \|/gm)].map(
      match => match[1],
    )
    expect(rows.toSorted()).toEqual(reasons.toSorted())
  })
})
