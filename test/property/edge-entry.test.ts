import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { outcomeOf } from '../helpers/ask.ts'
import { entryOf } from '../helpers/entry-of.ts'
import { MISSING_ID } from '../helpers/graph-arbitraries.ts'
import { openWorld } from '../helpers/open-world.ts'
import { nameIn, scopedOptions } from '../helpers/public-ids.ts'
import { inquiries } from '../helpers/query-arbitraries.ts'
import { settings } from './settings.ts'

describe('one entry of an edge', () => {
  it('is there exactly if the list has it and hasEdge is true, and fails exactly as the list fails', async () => {
    let found = 0
    await fc.assert(
      fc.asyncProperty(
        inquiries({ policed: true, most: 3 }),
        fc.boolean(),
        async ({ world, asked }, scoped) => {
          const ids = scoped ? scopedOptions() : undefined
          const prober = await openWorld(world, { limits: { scan: 1_000_000 }, ...ids })
          const { graph, session } = prober
          const app = ids?.appIds.forApp('tests')
          const named = nameIn([world], id => app?.toPublic(id) ?? id)
          for (const question of asked) {
            if (question.method !== 'getEdge') continue
            const source = { id: named(question.id), edge: question.edge }
            const list = await outcomeOf(() =>
              graph.getEdge(session, { ...source, fields: 'id', limit: 100 }),
            )
            for (const target of [...world.nodes.map(({ id }) => named(id)), MISSING_ID]) {
              const entry = await outcomeOf(() => entryOf(prober, { ...source, target, fields: 'id' }))
              if ('fault' in list) {
                expect(entry).toEqual(list)
                continue
              }
              const data = Object(list.answer).data.filter(({ id }: { readonly id: string }) => id === target)
              expect(entry).toEqual({ answer: { data } })
              expect(await graph.hasEdge(session, { ...source, target })).toBe(data.length > 0)
              found += data.length
            }
          }
        },
      ),
      settings(100),
    )
    expect(found).toBeGreaterThan(0)
  })
})
