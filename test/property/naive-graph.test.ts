import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ask, askNaive, outcomeOf } from '../helpers/ask.ts'
import { CursorBook } from '../helpers/naive-graph/cursor-book.ts'
import { NaiveGraph } from '../helpers/naive-graph/naive-graph.ts'
import { openWorld } from '../helpers/open-world.ts'
import { inquiries, type Question } from '../helpers/query-arbitraries.ts'
import { settings } from './settings.ts'

describe('a graph answers what the naive graph answers', () => {
  const compare = async (
    world: Parameters<typeof openWorld>[0],
    asked: readonly Question[],
    cost?: number,
  ) => {
    const limits = cost === undefined ? {} : { limits: { cost } }
    const { graph, session } = await openWorld(world, limits)
    const naive = new NaiveGraph(world, cost)
    const cursors = new CursorBook()
    for (const question of asked) {
      const outcome = await outcomeOf(() => ask(graph, session, question))
      const expected = cursors.translate(await outcomeOf(() => askNaive(naive, question)), outcome)
      // The text is compared, so that the order of the keys is too.
      if (question.method === 'getNodes') expect(outcome).toEqual(expected)
      else expect(JSON.stringify(outcome)).toBe(JSON.stringify(expected))
    }
  }

  it('to good questions', async () => {
    await fc.assert(
      fc.asyncProperty(inquiries({ faults: false }), ({ world, asked }) => compare(world, asked)),
      settings(200),
    )
  })

  it('to questions that are at fault, with the first fault in the order of faults', async () => {
    await fc.assert(
      fc.asyncProperty(
        inquiries({ faults: true }),
        fc.integer({ min: 1, max: 200 }),
        ({ world, asked }, cost) => compare(world, asked, cost),
      ),
      settings(200),
    )
  })
})
