import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ReadAhead, Store } from '../../src/store/contract.ts'
import { callGraph, captureOutcome } from '../helpers/call-graph.ts'
import type { World } from '../helpers/naive-graph/world.ts'
import { openWorld } from '../helpers/open-world.ts'
import { createPushingStore, examineFewRows, type PushingStore } from '../helpers/pushing-store.ts'
import { worldsWithCalls } from '../helpers/query-arbitraries.ts'
import { createReadAheadStore, type ReadAheadStore } from '../helpers/read-ahead-store.ts'
import { readyMadeWorlds } from '../helpers/ready-made-worlds.ts'
import {
  countExaminedPerCall,
  createFixedPassSizes,
  createSeededDraw,
  overrideScan,
} from '../helpers/scan-overrides.ts'
import { assertReaching, propertySettings } from './property-settings.ts'

const limits = { cost: 1_000_000_000 }

const SCAN_LIMITS = [2, 5, 10, 1000]

const conditionalCases = fc.record({
  worldWithCalls: worldsWithCalls({ from: readyMadeWorlds(), most: 4 }),
  counts: fc.boolean(),
  fewRows: fc.boolean(),
  passSize: fc.constantFrom(undefined, 1, 3),
  scan: fc.constantFrom(...SCAN_LIMITS),
  seed: fc.nat(),
})

type ConditionalCase = typeof conditionalCases extends fc.Arbitrary<infer T> ? T : never

/** Opens a world over a store that filters by conditions, and over one that also reads ahead. */
const openBothPushing = async ({
  worldWithCalls,
  counts,
  fewRows,
  passSize,
  scan,
  seed,
}: ConditionalCase) => {
  const behaviour = { counts, ...(fewRows && { chooseExamined: examineFewRows(seed) }) }
  const options = { limits: { ...limits, scan } }
  const { world } = worldWithCalls
  let pushing: PushingStore | undefined
  const push = (store: Store): PushingStore => {
    pushing = createPushingStore(store, behaviour)
    return pushing
  }
  const plain = await openWorld(world, { ...options, wrap: push })
  const plainStore = pushing
  let ahead: ReadAheadStore | undefined
  const wrap = (store: Store): Store => {
    ahead = createReadAheadStore(push(store))
    return ahead
  }
  const hinted = await openWorld(world, { ...options, wrap })
  if (ahead === undefined || plainStore === undefined) throw new Error('the store was not wrapped')
  const passSizes = passSize === undefined ? {} : { passSizes: createFixedPassSizes(passSize) }
  // Every call draws the same limit.
  const drawn = createSeededDraw(seed)()
  for (const { graph } of [plain, hinted]) overrideScan(graph, { ...passSizes, drawUniform: () => drawn })
  return { plain, hinted, ahead, plainStore }
}

/** Runs a call, and returns its outcome and the number of edges that count against its scan limit. */
const observe = async (call: () => unknown): Promise<string> => {
  const { result: outcome, examined } = await countExaminedPerCall(() => captureOutcome(call))
  // A call that fails may stop at another list.
  return JSON.stringify('result' in outcome ? { outcome, examined } : outcome)
}

/** Calls that read the lists of each node, and the lists of their entries. */
const createListCalls = ({ schema: { types }, nodes }: World) =>
  nodes.flatMap(({ id, type }) =>
    Object.entries(types[type]?.edges ?? {}).map(
      (
        [
          name,
          {
            targets: [target = ''],
          },
        ],
        index,
      ) => {
        const below = Object.keys(types[target]?.edges ?? {}).map(edge => `${edge}.limit(1){id}`)
        const summary = index % 2 === 0 ? '.summary(true)' : ''
        const fields = `${name}.limit(${1 + (index % 3)})${summary}{${['id', ...below].join(',')}}`
        return { id, type, fields }
      },
    ),
  )

/** Counts the lists with conditions in hints. */
const countConditionalLists = (ahead: ReadAhead | undefined): number =>
  [...(ahead?.values() ?? [])]
    .flat()
    .reduce(
      (sum, step) =>
        sum +
        (step.kind === 'list' && step.conditions !== undefined ? 1 : 0) +
        countConditionalLists(step.ahead),
      0,
    )

const countAllConditionalLists = ({ requests }: ReadAheadStore): number =>
  requests
    .flatMap(({ nodesAhead = [], ranges }) => [...nodesAhead, ...ranges.map(({ ahead }) => ahead)])
    .reduce((sum, ahead) => sum + countConditionalLists(ahead), 0)

describe('lists that are read ahead under conditions', () => {
  it('change neither results nor what counts against the scan limit, and never add reads', async () => {
    let conditionalCount = 0
    let runCount = 0
    await assertReaching(
      fc.asyncProperty(conditionalCases, async one => {
        const { plain, hinted, ahead, plainStore } = await openBothPushing(one)
        const { world, calls } = one.worldWithCalls
        const expectEqual = async (run: (opened: typeof plain) => unknown) =>
          expect(await observe(() => run(hinted))).toBe(await observe(() => run(plain)))
        for (const callSpec of calls)
          await expectEqual(({ graph, session }) => callGraph(graph, session, callSpec))
        for (const call of createListCalls(world)) {
          await expectEqual(({ graph, session }) => graph.getNode(session, call))
          const edge: string = call.fields.slice(0, call.fields.indexOf('.'))
          const fields: string = call.fields.slice(call.fields.indexOf('{') + 1, -1)
          await expectEqual(({ graph, session }) =>
            graph.getEdge(session, { id: call.id, type: call.type, edge, limit: 2, fields }),
          )
        }
        // A store that examines few rows at once may need another number of passes.
        if (!one.fewRows) expect(ahead.requests.length).toBeLessThanOrEqual(plainStore.requests.length)
        runCount++
        if (countAllConditionalLists(ahead) > 0) conditionalCount++
      }),
      propertySettings(40, 4000),
      () => conditionalCount > runCount / 6,
    )
  })
})
