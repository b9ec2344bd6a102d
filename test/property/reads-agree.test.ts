import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Outcome, outcomeOf } from '../helpers/ask.ts'
import { MISSING_ID } from '../helpers/graph-arbitraries.ts'
import { type Item, printItems } from '../helpers/naive-graph/query.ts'
import { openWorld } from '../helpers/open-world.ts'
import { inquiries } from '../helpers/query-arbitraries.ts'
import { settings } from './settings.ts'

const limits = { cost: 1_000_000_000 }

const textOf = (items: readonly Item[]): string | undefined =>
  items.length === 0 ? undefined : printItems(items)

const answerIn = (outcome: Outcome): unknown => ('answer' in outcome ? outcome.answer : undefined)

describe('the reads of a graph agree', () => {
  it('getEdges is a getEdge for each id', async () => {
    await fc.assert(
      fc.asyncProperty(inquiries({ policed: true }), async ({ world, asked }) => {
        const { graph, session } = await openWorld(world, { limits })
        const ids = world.nodes.map(({ id }) => id)
        for (const question of asked) {
          if (question.method !== 'getEdge') continue
          const { method: _, style: _style, id: _id, fields, ...call } = question
          const each = { ...call, fields: textOf(fields) }
          const together = await outcomeOf(() => graph.getEdges(session, { ...each, ids }))
          const alone: [string, Outcome][] = []
          for (const id of ids)
            alone.push([id, await outcomeOf(() => graph.getEdge(session, { ...each, id }))])
          const answers = Object.fromEntries(alone.map(([id, outcome]) => [id, answerIn(outcome)]))
          if ('answer' in together) expect(together.answer).toEqual(answers)
          else expect(alone.map(([, outcome]) => outcome)).toContainEqual(together)
        }
      }),
      settings(60),
    )
  })

  it('getMe is getNode of the viewer, but for names that only other viewers have', async () => {
    await fc.assert(
      fc.asyncProperty(inquiries({ policed: true }), async ({ world, asked }) => {
        const { graph, session } = await openWorld(world, { limits })
        const viewer = world.nodes.find(({ id }) => id === world.viewer)
        if (viewer === undefined || !world.schema.viewers.includes(viewer.type)) return
        for (const { fields: items, version } of asked) {
          const call = { fields: textOf(items), version }
          const node = await outcomeOf(() => graph.getNode(session, { id: viewer.id, ...call }))
          const me = await outcomeOf(() => graph.getMe(session, call))
          // What only another type of viewer has is left out of `me`, and a fault of a node whose type is known.
          if (
            !JSON.stringify(node).includes('unknown_field') &&
            !JSON.stringify(node).includes('not_in_version')
          )
            expect(me).toEqual(node)
          expect(await outcomeOf(() => graph.getNode(session, { id: 'me', ...call }))).toEqual(me)
        }
      }),
      settings(60),
    )
  })

  it('hasEdge is whether the target is on the pages of getEdge', async () => {
    await fc.assert(
      fc.asyncProperty(inquiries({ policed: true, most: 1 }), async ({ world }) => {
        const { graph, session } = await openWorld(world)
        for (const { id, type } of world.nodes) {
          for (const edge of [...Object.keys(world.schema.types[type]?.edges ?? {}), 'nothing']) {
            const page = await outcomeOf(() => graph.getEdge(session, { id, edge, limit: 100, fields: 'id' }))
            const { data } = Object.assign({ data: [] as readonly { id: string }[] }, answerIn(page))
            for (const target of [...world.nodes.map(({ id }) => id), MISSING_ID]) {
              const expected = 'fault' in page ? page : { answer: data.some(entry => entry.id === target) }
              expect(await outcomeOf(() => graph.hasEdge(session, { id, edge, target }))).toEqual(expected)
            }
          }
        }
      }),
      settings(60),
    )
  })

  it('partial leaves out what is unknown, and is otherwise as if it had not been asked', async () => {
    await fc.assert(
      fc.asyncProperty(inquiries({ policed: true }), fc.nat(4), async ({ world, asked }, at) => {
        const { graph, session } = await openWorld(world)
        for (const { fields: items, version } of asked) {
          if (items.length === 0) continue
          for (const { id } of world.nodes) {
            const expected = await outcomeOf(() =>
              graph.getNode(session, { id, fields: printItems(items), version }),
            )
            const fields = printItems(items.toSpliced(at, 0, { name: 'nothing' }))
            const partial = await outcomeOf(() =>
              graph.getNode(session, { id, fields, version, partial: true }),
            )
            // Other names may be unknown to the type too.
            if ('fault' in expected) continue
            const [message] = [{ message: expect.stringContaining('nothing'), type: 'warning' }]
            expect(partial).toEqual({
              answer: { ...Object(expected.answer), __debug__: { messages: [message] } },
            })
          }
        }
      }),
      settings(60),
    )
  })
})
