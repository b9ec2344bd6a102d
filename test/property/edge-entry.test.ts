import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createAppIdOptions, createIdMapper } from '../helpers/app-id-options.ts'
import { captureOutcome } from '../helpers/call-graph.ts'
import { missingIdOf } from '../helpers/id-kinds.ts'
import { inheritingWorlds } from '../helpers/inheriting-worlds.ts'
import { storedPartOf } from '../helpers/naive-graph/collections.ts'
import type { World } from '../helpers/naive-graph/world.ts'
import { openWorld } from '../helpers/open-world.ts'
import { worldsWithCalls } from '../helpers/query-arbitraries.ts'
import { readEntry } from '../helpers/read-entry.ts'
import { assertReaching, propertySettings } from './property-settings.ts'

/** Returns an expression with the id and all fields of the edges of one name. */
const fieldsOf = ({ schema }: World, edge: string): string => {
  const specs = Object.values(schema.types).flatMap(({ edges }) => edges[edge] ?? [])
  return ['id', ...new Set(specs.flatMap(({ fields }) => Object.keys(fields)))].join(',')
}

describe('getEdgeEntry, hasEdge and a request for one entry of an edge', () => {
  it('agree exactly with the list that has the same parameters, and have the same errors', async () => {
    let withData = 0
    await assertReaching(
      fc.asyncProperty(
        fc.oneof(
          worldsWithCalls({ hasPolicies: true, parameters: 'all', most: 3 }),
          worldsWithCalls({ from: inheritingWorlds, most: 3 }),
        ),
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
            const source = { id: mapId(callSpec.id), edge, parameters, fields: fieldsOf(world, edge) }
            const list = await captureOutcome(() => graph.getEdge(session, { ...source, limit: 100 }))
            for (const target of [...nodeIds.map(mapId), missingIdOf(world)]) {
              const entry = await captureOutcome(() => graph.getEdgeEntry(session, { ...source, target }))
              const response = await captureOutcome(() => readEntry(caller, { ...source, target }))
              if ('reason' in list) {
                expect(entry).toEqual(list)
                expect(response).toEqual(list)
                continue
              }
              const data = Object(list.result).data.filter(({ id }: { readonly id: string }) => id === target)
              expect(entry).toEqual({ result: data[0] })
              expect(response).toEqual({ result: { data } })
              const { fields: _, ...call } = source
              expect(await graph.hasEdge(session, { ...call, target })).toBe(data.length > 0)
              if (Object.keys(data[0] ?? {}).length > 1) withData++
            }
          }
        },
      ),
      propertySettings(100),
      () => withData > 0,
    )
  })
})
