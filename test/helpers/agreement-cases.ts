import fc, { type Arbitrary } from 'fast-check'
import { createGraph } from 'kithgraph'
import type { IdKind } from '../../src/base/ids.ts'
import type { Store } from '../../src/store/contract.ts'
import { EMPTY_REQUEST, UNTIMED_OPTIONS } from '../../src/store/requests.ts'
import { createRange } from '../../src/testing/records.ts'
import { createAppIdOptions, createIdMapper } from './app-id-options.ts'
import { compareWithMemory } from './compare-with-memory.ts'
import { findIdOf, kindOfWorld, possibleIdsOf } from './id-kinds.ts'
import { listsOf } from './naive-graph/edge-parameters.ts'
import type { World } from './naive-graph/world.ts'
import { createSchema, toMutations } from './open-world.ts'
import { type Caller, callVariants, captureText, type Probe, recordTranscript, withIds } from './probes.ts'
import { worldsWithCalls } from './query-arbitraries.ts'
import { drawInTurn, overrideScan } from './scan-overrides.ts'
import { IDS } from './schema-arbitraries.ts'
import { batchSeeds, createMutations, type GraphMutation } from './write-arbitraries.ts'

const NOW = Date.UTC(2014, 7, 4)

/** A world and its turns. Each turn runs a probe before and after the write of a batch. */
type AgreementCase = {
  readonly world: World
  readonly turns: readonly { readonly probe: Probe; readonly batch: readonly GraphMutation[] }[]
  /** Whether the viewer has a token of the store, which is revoked in the last turn. */
  readonly byToken: boolean
  /** Whether ids are app-scoped. */
  readonly scoped: boolean
  readonly snapshots: boolean
  readonly limits: { readonly scan: number | undefined; readonly cost: number | undefined }
}

const maybe = <T>(value: Arbitrary<T>): Arbitrary<T | undefined> =>
  fc.option(value, { nil: undefined, freq: 2 })

const agreementOptions = {
  variants: fc.array(callVariants, { minLength: 5, maxLength: 5 }),
  batches: fc.array(batchSeeds, { minLength: 5, maxLength: 5 }),
  byToken: fc.boolean(),
  scoped: fc.boolean(),
  snapshots: fc.boolean(),
  limits: fc.record({
    scan: maybe(fc.integer({ min: 1, max: 10 })),
    cost: maybe(fc.integer({ min: 1, max: 200 })),
  }),
}

/** Cases with the only kind of ids that a store has, or by default with either kind. */
export const agreementCases = (ids?: IdKind): Arbitrary<AgreementCase> =>
  fc
    .record({
      ...agreementOptions,
      worldWithCalls: fc.oneof(
        worldsWithCalls({ ids, hasErrors: true }),
        worldsWithCalls({ ids, hasPolicies: true }),
        worldsWithCalls({ ids, hasPolicies: true, hasErrors: true }),
      ),
    })
    .map(({ worldWithCalls: { world, calls }, variants, batches, ...options }) => {
      const turns = calls.flatMap((callSpec, index) => {
        const [variant, batch] = [variants[index], batches[index]]
        return variant && batch
          ? [{ probe: { callSpec, variant }, batch: createMutations(world, batch) }]
          : []
      })
      return { ...options, world, turns }
    })

/** Returns a cursor of an earlier page. The list may have changed since then. */
const findCursor = (texts: readonly string[]): string | undefined =>
  /"(?:after|before)":"([^"]+)"/.exec(texts.join())?.[1]

type ProbeOptions = {
  readonly world: World
  readonly mapId: (id: string) => string
  readonly earlier: readonly string[]
}

const runCaseProbe = async (
  caller: Caller,
  { callSpec, variant }: Probe,
  { world, mapId, earlier }: ProbeOptions,
): Promise<readonly string[]> => {
  const probe = { callSpec: withIds(callSpec, mapId), variant }
  const cursor = variant.seed % 3 === 0 ? findCursor(earlier) : undefined
  const ids = [...IDS, '404'].map(digits => mapId(findIdOf(world, digits)))
  return recordTranscript(caller, probe, { ids, cursor })
}

/** Runs a case on an open store, and returns all results of its reads and writes as texts. */
const runCase = async (
  { world, turns, byToken, scoped, snapshots, limits }: AgreementCase,
  store: Store,
): Promise<readonly string[]> => {
  await store.write(toMutations(world), { signal: undefined })
  const { appIds, secret } = createAppIdOptions()
  const app = appIds.forApp('tests')
  const graph = createGraph(store, {
    schema: createSchema(world.schema),
    secret,
    limits,
    now: () => NOW,
    consistency: snapshots && store.capabilities.snapshots ? 'snapshot' : 'read',
    ...(scoped && { appIds }),
  })
  // A fixed draw, because otherwise the same call would have a different limit on each store.
  overrideScan(graph, { drawUniform: drawInTurn(0.5) })
  const { viewer, scopes } = world
  const session = graph.session({ viewer, app: 'tests', scopes })
  const token = byToken
    ? await graph.tokens.issue({ viewer, app: 'tests', scopes }).catch(() => undefined)
    : undefined
  const caller = { graph, session: token ?? session }
  const mapId = createIdMapper([world], id => (scoped ? app.toPublic(id) : id))
  const texts: string[] = []
  for (const [turn, { probe, batch }] of turns.entries()) {
    texts.push(...(await runCaseProbe(caller, probe, { world, mapId, earlier: texts })))
    texts.push((await captureText(() => graph.write(batch))).text)
    if (token !== undefined && turn === turns.length - 1) await graph.tokens.revoke(token)
    texts.push(...(await runCaseProbe(caller, probe, { world, mapId, earlier: texts })))
  }
  if (token !== undefined) texts.push((await captureText(() => graph.tokens.inspect(token))).text)
  return [...texts, ...(await readStates(store, world))]
}

/** Reads all nodes and lists that a world can have from a store, as texts. */
export const readStates = async (store: Store, { schema }: World): Promise<readonly string[]> => {
  const names = new Set(Object.values(schema.types).flatMap(type => [...listsOf(type).keys()]))
  const nodes = IDS.flatMap(digits => possibleIdsOf({ schema }, digits))
  const ranges = nodes.flatMap(id =>
    [...names].map(name => createRange(id, name, { limit: 100, count: true })),
  )
  const state = await store.read({ ...EMPTY_REQUEST, nodes, ranges }, UNTIMED_OPTIONS)
  return [...state.nodes, ...state.ranges].map(part => JSON.stringify(part) ?? 'nothing')
}

/** Expects the same results on a store as in memory. `create` creates a store for a kind of ids. */
export const compareCase = (agreementCase: AgreementCase, create: (ids: IdKind) => Store): Promise<void> =>
  compareWithMemory(kindOfWorld(agreementCase.world), create, store => runCase(agreementCase, store))
