import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type CallOutcome, captureOutcome } from '../helpers/call-graph.ts'
import { missingIdOf } from '../helpers/id-kinds.ts'
import { storedPartOf } from '../helpers/naive-graph/collections.ts'
import { type ItemSpec, printItems } from '../helpers/naive-graph/query.ts'
import { openWorld } from '../helpers/open-world.ts'
import { worldsWithCalls } from '../helpers/query-arbitraries.ts'
import { propertySettings } from './property-settings.ts'

const limits = { cost: 1_000_000_000 }

/** The errors of items that a type does not accept. */
const ITEM_ERRORS = ['field_not_found', 'field_not_in_version', 'invalid_parameter']

const printFields = (items: readonly ItemSpec[]): string | undefined =>
  items.length === 0 ? undefined : printItems(items)

const resultOf = (outcome: CallOutcome): unknown => ('result' in outcome ? outcome.result : undefined)

describe('the reads of a graph are consistent', () => {
  it('getEdges has the same result as getEdge for each id', async () => {
    await fc.assert(
      fc.asyncProperty(worldsWithCalls({ hasPolicies: true }), async ({ world, calls }) => {
        const { graph, session } = await openWorld(world, { limits })
        // The parameters of a collection are no mistake beside the node root, but are one for other nodes alone.
        const ids = world.nodes.map(({ id }) => id).filter(id => id !== 'root')
        const hasSeveralTypes = new Set(world.nodes.map(({ type }) => type)).size > 1
        for (const callSpec of calls) {
          if (callSpec.method !== 'getEdge') continue
          const { method: _, style: _style, id: _id, fields, ...call } = callSpec
          const each = { ...call, fields: printFields(fields) }
          const together = await captureOutcome(() => graph.getEdges(session, { ...each, ids }))
          const alone: [string, CallOutcome][] = []
          for (const id of ids)
            alone.push([id, await captureOutcome(() => graph.getEdge(session, { ...each, id }))])
          const results = Object.fromEntries(alone.map(([id, outcome]) => [id, resultOf(outcome)]))
          if ('result' in together) expect(together.result).toEqual(results)
          // The maximum number of openings is for the sources of all types together.
          else if (together.reason === 'expression_too_wide' && hasSeveralTypes) continue
          else expect(alone.map(([, outcome]) => outcome)).toContainEqual(together)
        }
      }),
      propertySettings(40),
    )
  })

  it('getMe has the same result as getNode of the viewer, except for names and parameters that only other viewer types have', async () => {
    await fc.assert(
      fc.asyncProperty(worldsWithCalls({ hasPolicies: true }), async ({ world, calls }) => {
        const { graph, session } = await openWorld(world, { limits })
        const viewer = world.nodes.find(({ id }) => id === world.viewer)
        if (viewer === undefined || !world.schema.viewers.includes(viewer.type)) return
        for (const { fields: items, version } of calls) {
          const call = { fields: printFields(items), version }
          const node = await captureOutcome(() => graph.getNode(session, { id: viewer.id, ...call }))
          const me = await captureOutcome(() => graph.getMe(session, call))
          // An item that only another viewer type accepts is omitted for `me`, but is an error for a node.
          const isItemError = 'reason' in node && ITEM_ERRORS.includes(node.reason)
          if (!isItemError) expect(me).toEqual(node)
          expect(await captureOutcome(() => graph.getNode(session, { id: 'me', ...call }))).toEqual(me)
        }
      }),
      propertySettings(40),
    )
  })

  it('hasEdge is true exactly if a page of getEdge contains the target', async () => {
    await fc.assert(
      fc.asyncProperty(worldsWithCalls({ hasPolicies: true, most: 1 }), async ({ world }) => {
        const { graph, session } = await openWorld(world)
        const targets = storedPartOf(world).nodes.map(({ id }) => id)
        for (const { id, type } of world.nodes) {
          for (const edge of [...Object.keys(world.schema.types[type]?.edges ?? {}), 'nothing']) {
            const page = await captureOutcome(() =>
              graph.getEdge(session, { id, edge, limit: 100, fields: 'id' }),
            )
            const { data } = Object.assign({ data: [] as readonly { id: string }[] }, resultOf(page))
            for (const target of [...targets, missingIdOf(world)]) {
              const expected = 'reason' in page ? page : { result: data.some(entry => entry.id === target) }
              expect(await captureOutcome(() => graph.hasEdge(session, { id, edge, target }))).toEqual(
                expected,
              )
            }
          }
        }
      }),
      propertySettings(40),
    )
  })

  it('partial omits an unknown name with a warning, and changes nothing else', async () => {
    await fc.assert(
      fc.asyncProperty(worldsWithCalls({ hasPolicies: true }), fc.nat(4), async ({ world, calls }, at) => {
        const { graph, session } = await openWorld(world)
        for (const { fields: items, version } of calls) {
          if (items.length === 0) continue
          for (const { id } of world.nodes) {
            const expected = await captureOutcome(() =>
              graph.getNode(session, { id, fields: printItems(items), version }),
            )
            const fields = printItems(items.toSpliced(at, 0, { name: 'nothing' }))
            const partial = await captureOutcome(() =>
              graph.getNode(session, { id, fields, version, partial: true }),
            )
            // The other items may have unknown names too.
            if ('reason' in expected) continue
            const [message] = [{ message: expect.stringContaining('nothing'), type: 'warning' }]
            expect(partial).toEqual({
              result: { ...Object(expected.result), __debug__: { messages: [message] } },
            })
          }
        }
      }),
      propertySettings(40),
    )
  })
})
