import fc from 'fast-check'
import { type Schedule, scheduleStore, seededSchedule } from 'kithgraph/testing'
import { describe, expect, it } from 'vitest'
import { ask, outcomeOf } from '../helpers/ask.ts'
import { openWorld } from '../helpers/open-world.ts'
import { inquiries } from '../helpers/query-arbitraries.ts'
import { settings } from './settings.ts'

describe('queries at the same time', () => {
  it('answer as each does alone, in whatever order the store answers', async () => {
    await fc.assert(
      fc.asyncProperty(inquiries({ policed: true }), fc.scheduler(), async ({ world, asked }, scheduler) => {
        const alone = await openWorld(world)
        const expected = await Promise.all(
          asked.map(question => outcomeOf(() => ask(alone.graph, alone.session, question))),
        )
        const schedule: Schedule = (operation, run) =>
          scheduler.schedule(Promise.resolve(), operation).then(run)
        const { graph, session } = await openWorld(world, { wrap: store => scheduleStore(store, schedule) })
        const together = Promise.all(asked.map(question => outcomeOf(() => ask(graph, session, question))))
        expect(await scheduler.waitFor(together)).toEqual(expected)
      }),
      settings(100),
    )
  })

  it('over a store that fails now and then, each answer right or end in store_fault', async () => {
    const schedules = fc.record({ seed: fc.nat(), failures: fc.constantFrom(0.1, 0.3, 1) })
    await fc.assert(
      fc.asyncProperty(
        inquiries({ policed: true, most: 3 }),
        schedules,
        async ({ world, asked }, schedule) => {
          const alone = await openWorld(world)
          const { graph, session } = await openWorld(world, {
            wrap: store => scheduleStore(store, seededSchedule(schedule)),
          })
          await Promise.all(
            asked.map(async question => {
              const expected = await outcomeOf(() => ask(alone.graph, alone.session, question))
              const outcome = await outcomeOf(() => ask(graph, session, question))
              expect([expected, { fault: 'store_fault' }]).toContainEqual(outcome)
            }),
          )
        },
      ),
      settings(50),
    )
  })
})
