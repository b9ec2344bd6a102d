import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { callGraph, captureOutcome } from '../helpers/call-graph.ts'
import { type Declaration, findDeclaration } from '../helpers/naive-graph/declarations.ts'
import { type ItemSpec, keyOf, modifiersOf, printItems } from '../helpers/naive-graph/query.ts'
import { openWorld } from '../helpers/open-world.ts'
import { worldsWithCalls } from '../helpers/query-arbitraries.ts'
import { propertySettings } from './property-settings.ts'

const memberOf = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).find(([name]) => name === key)?.[1]
    : undefined

/** Returns a result without its links, which contain the requested fields. */
const withoutLinks = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutLinks)
  if (typeof value !== 'object' || value === null) return value
  const isLink = (name: string) => 'cursors' in value && name !== 'cursors'
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => (isLink(name) ? [] : [[name, withoutLinks(member)]])),
  )
}

/** Returns some of the items, at least one on each level. */
const keepSomeItems = (items: readonly ItemSpec[], isKept: () => boolean): readonly ItemSpec[] => {
  const kept = items.filter((_, index) => isKept() || index === 0)
  return kept.map(item => ({ ...item, fields: item.fields && keepSomeItems(item.fields, isKept) }))
}

/** Returns the part of a whole result that has the same names as a smaller result. */
const pickPart = (whole: unknown, like: unknown): unknown => {
  if (Array.isArray(like)) return like.map((item, index) => pickPart(memberOf(whole, `${index}`), item))
  if (typeof like !== 'object' || like === null) return whole
  return Object.fromEntries(
    Object.entries(like).map(([name, member]) => [name, pickPart(memberOf(whole, name), member)]),
  )
}

describe('a selection', () => {
  it('returns the same value for a field, whatever other fields it has', async () => {
    await fc.assert(
      fc.asyncProperty(
        worldsWithCalls({ hasPolicies: true }),
        fc.array(fc.boolean(), { minLength: 1 }),
        async ({ world, calls }, choices) => {
          const { graph, session } = await openWorld(world)
          for (const callSpec of calls) {
            let turn = 0
            const fields = keepSomeItems(callSpec.fields, () => choices[turn++ % choices.length] ?? true)
            const whole = await captureOutcome(() => callGraph(graph, session, callSpec))
            if ('reason' in whole) continue
            const part = withoutLinks(await callGraph(graph, session, { ...callSpec, fields }))
            expect(pickPart(withoutLinks(whole.result), part)).toEqual(part)
          }
        },
      ),
      propertySettings(60),
    )
  })
})

/** Returns the call that reads the same data as an item of a visible node. */
const expandItem = (item: ItemSpec, declared: Declaration) => {
  const fields = item.fields === undefined ? undefined : printItems(item.fields)
  if (declared.kind === 'edge') {
    const { limit, order, summary, since, until, parameters } = item
    const window = { limit, summary, since, until, parameters }
    const options = { ...window, order: order === 'sideways' ? undefined : order }
    return { kind: 'edge', options: { edge: item.name, ...options, fields } } as const
  }
  const isRef = declared.kind === 'field' && declared.field.kind === 'ref'
  return isRef ? ({ kind: 'ref', options: { fields } } as const) : undefined
}

describe('an edge or ref in an expression', () => {
  it('has the same result as getEdge on its parent with the same modifiers, or as getNode of its target', async () => {
    await fc.assert(
      fc.asyncProperty(worldsWithCalls({ hasPolicies: true }), async ({ world, calls }) => {
        const { graph, session } = await openWorld(world, { limits: { cost: 1_000_000_000 } })
        for (const { fields, version } of calls) {
          for (const { id, type, fields: stored } of world.nodes) {
            for (const item of fields) {
              const declared = findDeclaration(world.schema, type, undefined, item.name)
              const expanded = declared && expandItem(item, declared)
              if (expanded === undefined) continue
              const text = printItems([item])
              const outcome = await captureOutcome(() =>
                graph.getNode(session, { id, fields: text, version }),
              )
              const call = { ...expanded.options, version }
              if (expanded.kind === 'edge') {
                const alone = await captureOutcome(() =>
                  graph.getEdge(session, { id, ...call, edge: item.name }),
                )
                // An item for an edge of another type may have two mistakes here, which are found in other orders.
                if ('reason' in alone) expect(outcome).toHaveProperty('reason')
                else expect(outcome).toEqual({ result: { [keyOf(item)]: alone.result, id } })
                continue
              }
              const value = 'result' in outcome ? memberOf(outcome.result, keyOf(item)) : undefined
              if (value === undefined) continue
              // An item of a ref may have names that only another target type of the ref has.
              const target = `${stored[item.name] ?? ''}`
              const alone = await captureOutcome(() => graph.getNode(session, { id: target, ...call }))
              if ('result' in alone) expect(value).toEqual(alone.result)
            }
          }
        }
      }),
      propertySettings(40),
    )
  })

  it('has the same result as getEdge on its parent with the same cursor', async () => {
    await fc.assert(
      fc.asyncProperty(
        worldsWithCalls({ hasPolicies: true }),
        fc.constantFrom('after', 'before'),
        async ({ world, calls }, side) => {
          const { graph, session } = await openWorld(world)
          for (const { id, type } of world.nodes) {
            for (const edge of Object.keys(world.schema.types[type]?.edges ?? {})) {
              const [item = { name: edge }] = calls.flatMap(({ fields }) =>
                fields.filter(({ name }) => name === edge),
              )
              const { order, limit, since, until, summary, parameters } = item
              if (order === 'sideways') continue
              const first = await captureOutcome(() =>
                graph.getEdge(session, { id, edge, limit: 2, order, parameters }),
              )
              const cursor = memberOf(
                memberOf(memberOf(memberOf(first, 'result'), 'paging'), 'cursors'),
                side,
              )
              if (typeof cursor !== 'string') continue
              const window = { order, limit, since, until, summary, parameters }
              const call = { id, edge, ...window, fields: 'id', [side]: cursor }
              const modifiers = [...modifiersOf({ ...item, as: undefined }), [side, cursor]].map(
                ([name, value]) => `.${name}(${value})`,
              )
              const fields = `${edge}${modifiers.join('')}{id}`
              const page = await captureOutcome(() => graph.getEdge(session, call))
              // The edge of another type may have an order without times.
              const inNode = await captureOutcome(() => graph.getNode(session, { id, fields }))
              // The edge of another type may have an order without times.
              if ('reason' in page) expect(inNode).toHaveProperty('reason')
              else expect(inNode).toEqual({ result: { [edge]: page.result, id } })
            }
          }
        },
      ),
      propertySettings(40),
    )
  })

  it('has the same result in getNodes as in getNode for each id', async () => {
    await fc.assert(
      fc.asyncProperty(worldsWithCalls({ hasPolicies: true }), async ({ world, calls }) => {
        const { graph, session } = await openWorld(world, { limits: { cost: 1_000_000_000 } })
        for (const callSpec of calls) {
          if (callSpec.method !== 'getNodes') continue
          const together = await captureOutcome(() => callGraph(graph, session, callSpec))
          const { ids, fields, version, style } = callSpec
          const each = await Promise.all(
            ids.map(async id => {
              const call = { method: 'getNode', id, type: undefined, fields, version, style } as const
              return [id, await captureOutcome(() => callGraph(graph, session, call))] as const
            }),
          )
          if ('result' in together) {
            expect(each.map(([id, outcome]) => [id, outcome])).toEqual(
              ids.map(id => [id, { result: memberOf(together.result, id) }]),
            )
          } else {
            expect(each.map(([, outcome]) => outcome)).toContainEqual(together)
          }
        }
      }),
      propertySettings(40),
    )
  })
})
