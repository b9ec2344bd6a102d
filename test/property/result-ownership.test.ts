import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { StoreReadResult } from '../../src/store/contract.ts'
import { delegateStore } from '../../src/testing/delegate-store.ts'
import { callGraph, captureOutcome } from '../helpers/call-graph.ts'
import { openWorld } from '../helpers/open-world.ts'
import { worldsWithCalls } from '../helpers/query-arbitraries.ts'
import { propertySettings } from './property-settings.ts'

/** Changes a value and everything in it. Throws if a part of it is frozen. */
const mutateDeeply = (value: unknown): void => {
  if (typeof value !== 'object' || value === null) return
  for (const [name, member] of Object.entries(value)) {
    mutateDeeply(member)
    Reflect.set(value, name, 'spoilt')
  }
  Object.assign(value, { added: 'spoilt' })
  if (Array.isArray(value)) value.push('spoilt')
}

/** Returns the same mutable objects for the same request, so that a changed result stays changed. */
const createResultCache = (): ((
  request: unknown,
  read: () => Promise<StoreReadResult>,
) => Promise<StoreReadResult>) => {
  const results = new Map<string, Promise<StoreReadResult>>()
  return (request, read) => {
    const key = JSON.stringify(request)
    const result = results.get(key) ?? read().then(structuredClone)
    results.set(key, result)
    return result
  }
}

describe('a result', () => {
  it('can be changed by the caller without an effect on later results or stored data', async () => {
    await fc.assert(
      fc.asyncProperty(worldsWithCalls(), async ({ world, calls }) => {
        const remember = createResultCache()
        const opened = [
          await openWorld(world),
          await openWorld(world, {
            wrap: store =>
              delegateStore(store, {
                read: (request, options) => remember(request, async () => store.read(request, options)),
              }),
          }),
        ]
        for (const { graph, session } of opened) {
          for (const callSpec of calls) {
            const first = await captureOutcome(() => callGraph(graph, session, callSpec))
            const text = JSON.stringify(first)
            mutateDeeply('result' in first ? first.result : undefined)
            expect(JSON.stringify(await captureOutcome(() => callGraph(graph, session, callSpec)))).toBe(text)
          }
        }
      }),
      propertySettings(100),
    )
  })

  it('is created without a change to the options of the call', async () => {
    await fc.assert(
      fc.asyncProperty(worldsWithCalls(), async ({ world, calls }) => {
        const text = JSON.stringify([world, calls])
        const { graph, session } = await openWorld(world)
        for (const callSpec of calls) await captureOutcome(() => callGraph(graph, session, callSpec))
        expect(JSON.stringify([world, calls])).toBe(text)
      }),
      propertySettings(50),
    )
  })
})
