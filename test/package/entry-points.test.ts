import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import * as core from 'kithgraph'
import * as actions from 'kithgraph/actions'
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
import * as update from 'kithgraph/update'
import { describe, expect, it } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')

/** Bundles and minifies entry points as one program, without the code of their dependencies. */
const bundleEntries = async (...entries: readonly string[]) => {
  const { metafile, outputFiles } = await build({
    stdin: {
      contents: entries.map(entry => `export * from './${entry}'`).join('\n'),
      resolveDir: ROOT,
    },
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
    compressedSize: gzipSync(outputFiles[0]?.contents ?? new Uint8Array(), { level: 9 }).length,
  }
}

describe('the entry points', () => {
  it('export exactly the functions and values that this test lists', () => {
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
      'kithgraph/update': Object.keys(update).sort(),
      'kithgraph/actions': Object.keys(actions).sort(),
    }).toMatchInlineSnapshot(`
      {
        "kithgraph": [
          "GraphError",
          "allOf",
          "anyOf",
          "canSee",
          "collection",
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
          "namedId",
          "node",
          "not",
          "parameter",
          "parseNamedId",
          "socialSchema",
          "viewerHasEdge",
        ],
        "kithgraph/actions": [
          "ActionError",
          "actionsOf",
          "keyReusedError",
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
          "assertDirectionsAgree",
          "assertPagesJoin",
          "countReads",
          "createModelStore",
          "createSampleRecords",
          "describeReadOnlyStore",
          "describeStore",
          "describeStoreFailures",
          "scheduleStore",
          "seededSchedule",
          "writeUntilKilled",
        ],
        "kithgraph/update": [
          "update",
          "updateEdge",
        ],
      }
    `)
  })

  it('export exactly the types that this test lists for the core', () => {
    const text = readFileSync(join(ROOT, 'src/index.ts'), 'utf8')
    const names = [...text.matchAll(/export type \{([^}]*)\}|\btype (\w+)/g)].flatMap(match =>
      (match[1] ?? match[2] ?? '').split(',').map(name => name.trim()),
    )
    expect(names.filter(Boolean).sort()).toMatchInlineSnapshot(`
      [
        "AbsentCondition",
        "ActionEvent",
        "AgeRange",
        "AheadList",
        "AheadRef",
        "AheadResult",
        "AheadStep",
        "AnyGraph",
        "Auth",
        "AuthFailure",
        "AuthResult",
        "Awaitable",
        "BadValueCount",
        "BatchId",
        "BirthdayInput",
        "CallOptions",
        "CollectionKey",
        "CollectionOptions",
        "CollectionType",
        "Collections",
        "CompletionFlag",
        "Condition",
        "ConstantParameters",
        "CustomFieldType",
        "DateInput",
        "DebugMessage",
        "Decision",
        "Denial",
        "DerivedEntry",
        "EdgeCheck",
        "EdgeCondition",
        "EdgeDataTest",
        "EdgeEntry",
        "EdgeField",
        "EdgeInput",
        "EdgeKey",
        "EdgeOptions",
        "EdgeParametersOf",
        "EdgePosition",
        "EdgeRange",
        "EdgeRecord",
        "EdgeResolveContext",
        "EdgeResolver",
        "EdgeResultOf",
        "EdgeRuleOptions",
        "EdgeTimeField",
        "EdgeType",
        "EdgeTypeInfoOf",
        "EntryFilter",
        "EntryKey",
        "ErrorData",
        "ErrorEnvelope",
        "ErrorReason",
        "ExplainOptions",
        "Explanation",
        "ExtensionOptions",
        "Field",
        "FieldMetadata",
        "FieldOptions",
        "FieldResolver",
        "FieldType",
        "FieldTypeDefinition",
        "FilterEntry",
        "FilterEvent",
        "GetEdgeEntryOptions",
        "GetEdgeOptions",
        "GetEdgesOptions",
        "GetMeOptions",
        "GetNodeOptions",
        "GetNodesOptions",
        "GrantOptions",
        "Graph",
        "GraphEvent",
        "GraphOptions",
        "GraphTokens",
        "HasEdgeOptions",
        "IdKind",
        "IdParameterOptions",
        "Increment",
        "IncrementInput",
        "IterateEdgeOptions",
        "JsonObject",
        "JsonValue",
        "KeyPart",
        "LimitOptions",
        "Limits",
        "ListOptions",
        "ListOrder",
        "ListParameterOptions",
        "LoadCounts",
        "LoadOptions",
        "LoadRecord",
        "LoadSource",
        "Metadata",
        "Mutation",
        "NodeCondition",
        "NodeDefinition",
        "NodeExtension",
        "NodeId",
        "NodeInput",
        "NodeRecord",
        "NodeType",
        "NumberParameterOptions",
        "OrderDeclaration",
        "OrderKey",
        "Orders",
        "OriginalResponse",
        "Page",
        "PageLimit",
        "PageWithSummary",
        "Paging",
        "Parameter",
        "ParameterOptions",
        "ParameterValues",
        "Parameters",
        "ParsedNamedId",
        "PatchInput",
        "Picture",
        "PictureInput",
        "PlainParameterOptions",
        "Policy",
        "PositionKey",
        "PublicId",
        "QueryEvent",
        "RangeResult",
        "RawId",
        "ReadAhead",
        "ReadMethod",
        "RefField",
        "ResolveContext",
        "ResolvedEntry",
        "ResolvedPage",
        "ResolvedPageRequest",
        "ResultOf",
        "RevokeAllOptions",
        "Rule",
        "RuleEvent",
        "RuleOptions",
        "Schema",
        "SchemaOptions",
        "Session",
        "SessionOptions",
        "SocialSchema",
        "Store",
        "StoreCapabilities",
        "StoreMutation",
        "StoreReadEvent",
        "StoreReadOptions",
        "StoreReadRequest",
        "StoreReadResult",
        "StoreReader",
        "StoreSnapshot",
        "StoreSnapshotOptions",
        "StoreWriteOptions",
        "StringParameterOptions",
        "Summary",
        "TimeOrder",
        "Token",
        "TokenInspection",
        "TokenOptions",
        "TokenRecord",
        "TypedValueField",
        "TypedViewerEdgeField",
        "UncertainSummary",
        "UnrecognizedToken",
        "UntypedNode",
        "ValueField",
        "ValueOptions",
        "WantedFields",
        "WithTypeInfo",
        "WriteCondition",
        "WriteOptions",
        "WriteResult",
      ]
    `)
  })

  it('are the same in the exports of package.json and in the configuration of the build', async () => {
    const { exports, bin }: { exports: object; bin: object } = JSON.parse(
      readFileSync(join(ROOT, 'package.json'), 'utf8'),
    )
    const { default: config } = await import('../../tsup.config.ts')
    const entries = 'entry' in config ? Object.keys(config.entry ?? {}) : []
    const names = entries.map(name => (name === 'index' ? '.' : `./${name}`))
    // The program is run, and never imported.
    expect([...Object.keys(exports), './cli'].toSorted()).toEqual([...names, './package.json'].toSorted())
    expect(bin).toEqual({ kithgraph: './dist/cli.js' })
  })
})

/** Finds the stores, test kit, packages and Node modules that an entry point imports. */
const findImports = async (entry: string) => {
  const { inputs, imports } = await bundleEntries(entry)
  return {
    adapters: inputs.filter(input => /src\/(stores|testing)\//.test(input)),
    packages: [...new Set(imports.map(({ path }) => path.split('/').slice(0, 2).join('/')))].sort(),
  }
}

describe('the entry points for every runtime', () => {
  it.each([
    ['kithgraph', 'src/index.ts', ['@noble/ciphers', '@noble/hashes']],
    ['kithgraph/http', 'src/http/index.ts', ['@noble/hashes']],
    ['kithgraph/client', 'src/client/index.ts', []],
    ['kithgraph/explorer', 'src/explorer/index.ts', []],
  ])(
    'import no store, no node: module and no package except hashes and ciphers: %s',
    async (_, entry, packages) => {
      expect(await findImports(entry)).toEqual({ adapters: [], packages })
    },
  )

  it('import immer only in kithgraph/update', async () => {
    const { default: config } = await import('../../tsup.config.ts')
    const files = Object.values('entry' in config ? (config.entry ?? {}) : {})
    const imports = await Promise.all(files.map(async file => [file, await findImports(file)] as const))
    const importers = imports.filter(([, { packages }]) => packages.includes('immer'))
    expect(importers.map(([file]) => file)).toEqual(['src/update/index.ts'])
  })

  it('have a core of less than 84 KB after it is minified and compressed', async () => {
    const { compressedSize } = await bundleEntries('src/index.ts')
    expect(compressedSize).toBeLessThan(84 * 1024)
  })

  it('have a core without the code of actions, which adds less than 8.8 KB to it', async () => {
    const core = await bundleEntries('src/index.ts')
    const coreAndActions = await bundleEntries('src/index.ts', 'src/actions/index.ts')
    expect(core.inputs.filter(input => input.includes('src/actions/'))).toEqual([])
    expect(coreAndActions.compressedSize - core.compressedSize).toBeLessThan(8.8 * 1024)
  })
})

describe('docs/errors.md', () => {
  it('has a row for every reason of an error, and no other rows', () => {
    const source = readFileSync(join(ROOT, 'src/base/error-kinds.ts'), 'utf8')
    const reasons = [...source.matchAll(/^ {2}(\w+): \{ status/gm)].map(match => match[1])
    const rows = [...readFileSync(join(ROOT, 'docs/errors.md'), 'utf8').matchAll(/^\| `(\w+)` \|/gm)].map(
      match => match[1],
    )
    expect(rows.toSorted()).toEqual(reasons.toSorted())
  })
})
