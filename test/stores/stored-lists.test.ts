import fc, { type Arbitrary } from 'fast-check'
import { createGraph, defineSchema } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { IdKind } from '../../src/base/ids.ts'
import type { EdgeKey, EdgeRecord } from '../../src/store/contract.ts'
import { chooseIdKinds, idOf } from '../helpers/id-kinds.ts'
import { listedSchema } from '../helpers/listed-schema.ts'
import { readDumpLines } from '../helpers/read-dump-lines.ts'
import { availableEngines, type StoreEngine, type StoreEngineKind } from '../helpers/store-engines.ts'
import { propertySettings } from '../property/property-settings.ts'

type Values = { readonly [name: string]: string | boolean | undefined }

/** An edge between two types of nodes. */
type EdgeSpec = {
  readonly sources: readonly string[]
  readonly targets: readonly string[]
  readonly parameters: Arbitrary<Values>
  /** Returns the names of the list and of the mirror's list, independently of the library. */
  readonly listsOf: (values: Values) => readonly [list: string, mirrorList: string | undefined]
}

const PEOPLE = ['1', '2', '3']
const EVENTS = ['4', '5']
const PHOTOS = ['6', '7']

const optional = <T>(arbitrary: Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
const eventParameters = fc.record(
  { role: optional(fc.constantFrom('guest', 'host')), loud: optional(fc.boolean()) },
  { requiredKeys: [] },
)
const eventLists = ({ role, loud }: Values) => {
  const kind = loud ? 'loud' : 'calm'
  return {
    events: `events_${role ?? 'any'}${loud ? '_loud' : ''}`,
    people: role === undefined && !loud ? 'people' : `${kind}_${role ?? 'people'}`,
  }
}

const SPECS: { readonly [name: string]: EdgeSpec } = {
  photos: {
    sources: PEOPLE,
    targets: PHOTOS,
    parameters: fc.record({ type: optional(fc.constantFrom('tagged', 'uploaded')) }, { requiredKeys: [] }),
    listsOf: ({ type }) => [type === 'uploaded' ? 'photos_uploaded' : 'photos', undefined],
  },
  friends: {
    sources: PEOPLE,
    targets: PEOPLE,
    parameters: fc.record({ close: optional(fc.boolean()) }, { requiredKeys: [] }),
    listsOf: ({ close }) => (close ? ['friends_close', 'friends_close'] : ['friends', 'friends']),
  },
  events: {
    sources: PEOPLE,
    targets: EVENTS,
    parameters: eventParameters,
    listsOf: values => [eventLists(values).events, eventLists(values).people],
  },
  people: {
    sources: EVENTS,
    targets: PEOPLE,
    parameters: eventParameters,
    listsOf: values => [eventLists(values).people, eventLists(values).events],
  },
  visits: {
    sources: PEOPLE,
    targets: EVENTS,
    parameters: fc.record({ long: fc.boolean() }),
    listsOf: ({ long }) => [long ? 'visits' : 'visits_short', undefined],
  },
}

type Change = {
  readonly op: 'putEdge' | 'deleteEdge'
  readonly edge: EdgeKey & { readonly parameters: Values }
  readonly time: number
}

const change: Arbitrary<Change> = fc.constantFrom(...Object.entries(SPECS)).chain(([name, spec]) =>
  fc.record({
    op: fc.constantFrom('putEdge', 'putEdge', 'deleteEdge'),
    edge: fc.record({
      source: fc.constantFrom(...spec.sources),
      name: fc.constant(name),
      target: fc.constantFrom(...spec.targets),
      parameters: spec.parameters,
    }),
    time: fc.nat(5),
  }),
)

const keyOf = ({ source, name, target }: EdgeKey): string => `${source} ${name} ${target}`

/** Applies changes to a map of the stored edges. */
const applyToModel = (edges: Map<string, EdgeRecord>, { op, edge, time }: Change): void => {
  const [list, mirrorList] = SPECS[edge.name]?.listsOf(edge.parameters) ?? ['']
  const sides: EdgeRecord[] = [{ source: edge.source, name: list, target: edge.target, time }]
  if (mirrorList !== undefined)
    sides.push({ source: edge.target, name: mirrorList, target: edge.source, time })
  for (const side of sides) {
    if (op === 'putEdge') edges.set(keyOf(side), side)
    else edges.delete(keyOf(side))
  }
}

const byKey = (a: EdgeRecord, b: EdgeRecord): number => (keyOf(a) < keyOf(b) ? -1 : 1)

const SCHEMAS = { digits: listedSchema, named: defineSchema(listedSchema.types, { ids: 'named' }) }

const typeOf = (digits: string): string =>
  PEOPLE.includes(digits) ? 'person' : EVENTS.includes(digits) ? 'event' : 'photo'

const toId = (kind: IdKind, digits: string): string => idOf(kind, typeOf(digits), digits)

const createNodes = (kind: IdKind) =>
  [...PEOPLE, ...EVENTS, ...PHOTOS].map(digits => ({
    op: 'putNode',
    node: { id: toId(kind, digits), type: typeOf(digits), fields: {} },
  }))

/** A kind of ids, and changes with such ids. */
const casesOf = (only: IdKind | undefined) =>
  fc.tuple(chooseIdKinds(only), fc.array(change, { minLength: 1, maxLength: 25 })).map(([kind, written]) => ({
    kind,
    written: written.map(({ edge, ...one }) => ({
      ...one,
      edge: { ...edge, source: toId(kind, edge.source), target: toId(kind, edge.target) },
    })),
  }))

const MEMORY: StoreEngineKind = {
  name: 'memory',
  start: async () => ({ create: createMemoryStore, stop: async () => {} }),
}
const ENGINES = availableEngines('stored lists', { every: false })
/** The stored lists depend on the engine of the graph, not on the store. So servers take part only in long runs. */
const KINDS = [
  MEMORY,
  ...ENGINES.filter(({ name }) => process.env.KITHGRAPH_LONG !== undefined || name === 'better-sqlite3'),
]
const START_TIMEOUT_MS = 60_000

/** The numbers of runs. A load into Redis Cluster takes long. */
const RUNS: { readonly [engine: string]: number } = { memory: 100, 'Redis Cluster': 3 }

describe.each(KINDS)('stored lists on $name', ({ name: engineName, ids, start }) => {
  let engine: StoreEngine
  beforeAll(async () => {
    engine = await start()
  }, START_TIMEOUT_MS)
  afterAll(() => engine.stop())
  const cases = casesOf(ids)
  const settings = <T>() => propertySettings<T>(RUNS[engineName] ?? 15)

  const createListedGraph = async (kind: IdKind) => {
    const store = engine.create(kind)
    const graph = createGraph(store, { schema: SCHEMAS[kind], secret: 'the secret of the tests' })
    const write = (mutations: readonly object[]): Promise<unknown> =>
      Reflect.apply(graph.write, graph, [mutations])
    await write(createNodes(kind))
    const readEdges = async (): Promise<readonly EdgeRecord[]> =>
      (await readDumpLines(store.dump())).flatMap(line => JSON.parse(line).edge ?? []).sort(byKey)
    return { store, graph, write, readEdges }
  }

  /** Writes changes as one batch, or as batches of one. */
  const writeChanges = async (
    write: (mutations: readonly object[]) => Promise<unknown>,
    written: readonly Change[],
    isOneBatch: boolean,
  ): Promise<void> => {
    const mutations = written.map(({ op, edge, time }) => ({
      op,
      edge: op === 'putEdge' ? { ...edge, time } : edge,
    }))
    for (const batch of isOneBatch ? [mutations] : mutations.map(mutation => [mutation])) await write(batch)
  }

  it('have each edge in the list of its values, with its mirror, and in no other list', () =>
    fc.assert(
      fc.asyncProperty(cases, fc.boolean(), async ({ kind, written }, isOneBatch) => {
        const { graph, write, readEdges } = await createListedGraph(kind)
        await writeChanges(write, written, isOneBatch)
        const model = new Map<string, EdgeRecord>()
        for (const one of written) applyToModel(model, one)
        expect(await readEdges()).toEqual([...model.values()].sort(byKey))
        await graph.close()
      }),
      settings(),
    ))

  it('are the same after a dump and a load, and after a load of either side', () =>
    fc.assert(
      fc.asyncProperty(cases, async ({ kind, written }) => {
        const { store, graph, write, readEdges } = await createListedGraph(kind)
        await writeChanges(write, written, true)
        const lines = await readDumpLines(store.dump())
        const loaded = await createListedGraph(kind)
        await loaded.graph.load(lines)
        expect(await loaded.readEdges()).toEqual(await readEdges())
        const firstSides = await createListedGraph(kind)
        const sources = [...PEOPLE, ...PHOTOS].map(digits => toId(kind, digits))
        await firstSides.graph.load(
          lines.filter(line => sources.includes(JSON.parse(line).edge?.source ?? sources[0])),
        )
        expect(await firstSides.readEdges()).toEqual(await readEdges())
        for (const one of [graph, loaded.graph, firstSides.graph]) await one.close()
      }),
      settings(),
    ))
})
