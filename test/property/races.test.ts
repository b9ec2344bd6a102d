import fc from 'fast-check'
import { type Schedule, scheduleStore, seededSchedule } from 'kithgraph/testing'
import { describe, expect, it } from 'vitest'
import { callGraph, captureOutcome } from '../helpers/call-graph.ts'
import { openWorld } from '../helpers/open-world.ts'
import { worldsWithCalls } from '../helpers/query-arbitraries.ts'
import { propertySettings } from './property-settings.ts'

describe('concurrent queries', () => {
  it('have the same results as single queries, in whatever order the store responds', async () => {
    await fc.assert(
      fc.asyncProperty(
        worldsWithCalls({ hasPolicies: true }),
        fc.scheduler(),
        async ({ world, calls }, scheduler) => {
          const alone = await openWorld(world)
          const expected = await Promise.all(
            calls.map(callSpec => captureOutcome(() => callGraph(alone.graph, alone.session, callSpec))),
          )
          const schedule: Schedule = (operation, run) =>
            scheduler.schedule(Promise.resolve(), operation).then(run)
          const { graph, session } = await openWorld(world, { wrap: store => scheduleStore(store, schedule) })
          const together = Promise.all(
            calls.map(callSpec => captureOutcome(() => callGraph(graph, session, callSpec))),
          )
          expect(await scheduler.waitFor(together)).toEqual(expected)
        },
      ),
      propertySettings(100),
    )
  })

  it('have the right result or store_error if the store sometimes fails', async () => {
    const schedules = fc.record({ seed: fc.nat(), failures: fc.constantFrom(0.1, 0.3, 1) })
    await fc.assert(
      fc.asyncProperty(
        worldsWithCalls({ hasPolicies: true, most: 3 }),
        schedules,
        async ({ world, calls }, schedule) => {
          const alone = await openWorld(world)
          const { graph, session } = await openWorld(world, {
            wrap: store => scheduleStore(store, seededSchedule(schedule)),
          })
          await Promise.all(
            calls.map(async callSpec => {
              const expected = await captureOutcome(() => callGraph(alone.graph, alone.session, callSpec))
              const outcome = await captureOutcome(() => callGraph(graph, session, callSpec))
              expect([expected, { reason: 'store_error' }]).toContainEqual(outcome)
            }),
          )
        },
      ),
      propertySettings(50),
    )
  })
})
