import { describe, expect, it } from 'vitest'
import type { GraphEvent } from '../../../src/core/events.ts'
import { ADA, GRACE, NEWEST_PHOTO, SCOPES } from '../../helpers/world.ts'
import { expectGraphError } from '../abuse/expect-graph-error.ts'
import { openWorldWithStore } from './open-world-with-store.ts'

describe('onEvent', () => {
  const openWithEvents = async () => {
    const events: GraphEvent[] = []
    const world = await openWorldWithStore(() => ({}), { onEvent: event => void events.push(event) })
    return { ...world, events }
  }

  it('receives one event for each store read of a call and one for the whole call', async () => {
    const { graph, ada, events } = await openWithEvents()
    await graph.getNode(ada, { id: ADA, fields: 'photos.limit(3){from}' })
    const durationMs = expect.any(Number)
    const request = { kind: 'read', method: 'getNode', nodes: 0, ranges: 0, checks: 0, tokens: 0, durationMs }
    expect(events).toEqual([
      { ...request, nodes: 1 },
      { ...request, ranges: 1 },
      { ...request, nodes: 3 },
      {
        kind: 'query',
        method: 'getNode',
        reads: 3,
        durationMs,
        denials: [],
        examined: [],
        badValues: [],
        bypassedPolicies: false,
        reason: undefined,
        traceId: undefined,
      },
    ])
  })

  it('receives the reason and the trace id of a failed call', async () => {
    const { graph, ada, events } = await openWithEvents()
    const error = await expectGraphError(graph.getNode(ada, { id: '999' }))
    expect(events.at(-1)).toMatchObject({
      kind: 'query',
      reads: 1,
      reason: 'node_not_found',
      traceId: error.traceId,
    })
  })

  it('receives nothing about tokens, people or values', async () => {
    const { graph, events } = await openWithEvents()
    const token = await graph.tokens.issue({ viewer: ADA, app: 'demo', scopes: SCOPES })
    await graph.getMe(token, { fields: 'name,email,friends,photos.limit(2){viewer_likes}' })
    await expectGraphError(graph.getNode('no such token', { id: GRACE }))
    // Durations and trace ids are random, so that they may contain any digits.
    const random = new Set(['durationMs', 'traceId'])
    const text = JSON.stringify(events, (name, value) => (random.has(name) ? undefined : value))
    expect(text).not.toContain(token)
    for (const word of ['Ada', 'example.org', 'no such token', NEWEST_PHOTO]) expect(text).not.toContain(word)
    for (const event of events) {
      const { denials, examined, badValues, ...rest } = { denials: [], examined: [], badValues: [], ...event }
      expect([...denials, ...examined, ...badValues]).toEqual([])
      for (const value of Object.values(rest))
        expect(['boolean', 'number', 'string', 'undefined']).toContain(typeof value)
    }
  })

  it('does not make a call fail if it throws', async () => {
    const { graph, ada } = await openWorldWithStore(() => ({}), {
      onEvent: () => {
        throw new Error('the log is full')
      },
    })
    expect(await graph.getMe(ada)).toMatchObject({ id: ADA })
  })
})
