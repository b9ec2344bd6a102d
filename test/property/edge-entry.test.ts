import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createAppIdOptions, createIdMapper } from '../helpers/app-id-options.ts'
import { captureOutcome } from '../helpers/call-graph.ts'
import { MISSING_ID } from '../helpers/graph-arbitraries.ts'
import { storedPartOf } from '../helpers/naive-graph/collections.ts'
import { openWorld } from '../helpers/open-world.ts'
import { worldsWithCalls } from '../helpers/query-arbitraries.ts'
import { readEntry } from '../helpers/read-entry.ts'
import { propertySettings } from './property-settings.ts'

describe('a request for one entry of an edge', () => {
  it('returns it exactly if the list contains it and hasEdge is true, and has the same errors as the list', async () => {
    let found = 0
    await fc.assert(
      fc.asyncProperty(
        worldsWithCalls({ hasPolicies: true, most: 3 }),
        fc.boolean(),
        async ({ world, calls }, scoped) => {
          const ids = scoped ? createAppIdOptions() : undefined
          const caller = await openWorld(world, { limits: { scan: 1_000_000 }, ...ids })
          const { graph, session } = caller
          const app = ids?.appIds.forApp('tests')
          const nodeIds = storedPartOf(world).nodes.map(({ id }) => id)
          const mapId = createIdMapper([world], id => app?.toPublic(id) ?? id)
          for (const callSpec of calls) {
            if (callSpec.method !== 'getEdge') continue
            const { edge, parameters } = callSpec
            const source = { id: mapId(callSpec.id), edge, parameters }
            const list = await captureOutcome(() =>
              graph.getEdge(session, { ...source, fields: 'id', limit: 100 }),
            )
            for (const target of [...nodeIds.map(mapId), MISSING_ID]) {
              const entry = await captureOutcome(() => readEntry(caller, { ...source, target, fields: 'id' }))
              if ('reason' in list) {
                expect(entry).toEqual(list)
                continue
              }
              const data = Object(list.result).data.filter(({ id }: { readonly id: string }) => id === target)
              expect(entry).toEqual({ result: { data } })
              expect(await graph.hasEdge(session, { ...source, target })).toBe(data.length > 0)
              found += data.length
            }
          }
        },
      ),
      propertySettings(100),
    )
    expect(found).toBeGreaterThan(0)
  })
})
