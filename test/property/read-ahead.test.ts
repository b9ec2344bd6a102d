import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EdgeRange } from '../../src/store/contract.ts'
import { callGraph, captureOutcome } from '../helpers/call-graph.ts'
import { compareCalls } from '../helpers/compare-calls.ts'
import { openWorld } from '../helpers/open-world.ts'
import { worldsWithCalls } from '../helpers/query-arbitraries.ts'
import {
  countAhead,
  countSteps,
  createReadAheadStore,
  type ReadAheadStore,
} from '../helpers/read-ahead-store.ts'
import { assertReaching, propertySettings } from './property-settings.ts'

const limits = { cost: 1_000_000_000 }

/** Counts for each hint of the ranges of a read. Lists of sources of several types are read together, each with its own. */
const countAheadOfLists = (ranges: readonly EdgeRange[]): readonly number[] =>
  [...new Set(ranges.map(({ ahead }) => ahead))].map(hint =>
    ranges.reduce((sum, { limit, ahead }) => sum + (ahead === hint ? limit * countAhead(ahead) : 0), 0),
  )

const countAheadOf = ({ requests }: ReadAheadStore): readonly number[] =>
  requests.flatMap(({ nodes, nodesAhead, ranges }) => [
    nodes.reduce((sum, _, index) => sum + countAhead(nodesAhead?.[index]), 0),
    ...countAheadOfLists(ranges),
  ])

const countStepsOf = ({ requests }: ReadAheadStore): readonly number[] =>
  requests
    .flatMap(({ nodesAhead = [], ranges }) => [...nodesAhead, ...ranges.map(({ ahead }) => ahead)])
    .map(countSteps)

/** Opens the same world twice: over a store that ignores hints, and over one that executes them. */
const openBoth = async (...[world, options]: Parameters<typeof openWorld>) => {
  let ahead: ReadAheadStore | undefined
  const plain = await openWorld(world, options)
  const hinted = await openWorld(world, {
    ...options,
    wrap: store => {
      ahead = createReadAheadStore(store)
      return ahead
    },
  })
  if (ahead === undefined) throw new Error('the store was not wrapped')
  return { plain, hinted, ahead }
}

describe('reading ahead', () => {
  it.each([true, false])('changes no byte of any result or error, with policies: %s', async hasPolicies => {
    await fc.assert(
      fc.asyncProperty(worldsWithCalls({ hasPolicies, parameters: 'all' }), async ({ world, calls }) => {
        const { plain, hinted } = await openBoth(world, { limits })
        await compareCalls(plain, hinted, calls)
      }),
      propertySettings(50, 5000),
    )
  })

  it('never makes more reads and sometimes fewer, and sends hints of at most 100 steps, for at most 2,000 records in a read of one list', async () => {
    let hintCount = 0
    let savedReads = 0
    // Most lists under a policy are not read ahead, so only few reads are saved with policies.
    const anyWorlds = fc.boolean().chain(hasPolicies => worldsWithCalls({ hasPolicies }))
    await assertReaching(
      fc.asyncProperty(anyWorlds, async ({ world, calls }) => {
        const plainReads: unknown[] = []
        const { plain, hinted, ahead } = await openBoth(world, {
          limits,
          onEvent: event => event.kind === 'read' && plainReads.push(event),
        })
        for (const callSpec of calls) {
          plainReads.length = 0
          await captureOutcome(() => callGraph(plain.graph, plain.session, callSpec))
          const expected = plainReads.length
          await captureOutcome(() => callGraph(hinted.graph, hinted.session, callSpec))
          const count = plainReads.length - expected
          expect(count).toBeLessThanOrEqual(expected)
          savedReads += expected - count
        }
        const counts = countAheadOf(ahead)
        hintCount += counts.filter(count => count > 0).length
        for (const count of counts) expect(count).toBeLessThanOrEqual(2000)
        for (const count of countStepsOf(ahead)) expect(count).toBeLessThanOrEqual(100)
      }),
      propertySettings(100, 2000),
      () => hintCount > 0 && savedReads > 0,
    )
  })
})
