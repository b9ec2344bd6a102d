import { describe, expect, it } from 'vitest'
import type { ReadEvent } from '../../../src/execute/read-event.ts'
import { ADA, GRACE, NEWEST_PHOTO, SCOPES } from '../../helpers/world.ts'
import { faultOf } from '../abuse/fault-of.ts'
import { openWorld } from './replaced-store.ts'

describe('onRead', () => {
  const listen = async () => {
    const events: ReadEvent[] = []
    const world = await openWorld(() => ({}), { onRead: event => void events.push(event) })
    return { ...world, events }
  }

  it('is told of every wave and of every query', async () => {
    const { graph, ada, events } = await listen()
    await graph.getNode(ada, { id: ADA, fields: 'photos.limit(3){from}' })
    const duration = expect.any(Number)
    const wave = { kind: 'wave', method: 'getNode', nodes: 0, ranges: 0, tests: 0, tokens: 0, duration }
    expect(events).toEqual([
      { ...wave, nodes: 1 },
      { ...wave, ranges: 1 },
      { ...wave, nodes: 3 },
      {
        kind: 'query',
        method: 'getNode',
        waves: 3,
        duration,
        denials: [],
        examined: [],
        badValues: [],
        fault: undefined,
        traceId: undefined,
      },
    ])
  })

  it('is told why a query failed, and by which trace id it is found', async () => {
    const { graph, ada, events } = await listen()
    const fault = await faultOf(graph.getNode(ada, { id: '999' }))
    expect(events.at(-1)).toMatchObject({
      kind: 'query',
      waves: 1,
      fault: 'node_missing',
      traceId: fault.traceId,
    })
  })

  it('is told nothing of a token or of whom it is about', async () => {
    const { graph, events } = await listen()
    const token = await graph.tokens.issue({ viewer: ADA, app: 'demo', scopes: SCOPES })
    await graph.getMe(token, { fields: 'name,email,friends,photos.limit(2){viewer_likes}' })
    await faultOf(graph.getNode('no such token', { id: GRACE }))
    // Times and trace ids are random: they may hold any digits.
    const random = new Set(['duration', 'traceId'])
    const text = JSON.stringify(events, (name, value) => (random.has(name) ? undefined : value))
    expect(text).not.toContain(token)
    for (const word of ['Ada', 'example.org', 'no such token', NEWEST_PHOTO]) expect(text).not.toContain(word)
    for (const event of events) {
      const { denials, examined, badValues, ...rest } = { denials: [], examined: [], badValues: [], ...event }
      expect([...denials, ...examined, ...badValues]).toEqual([])
      for (const value of Object.values(rest))
        expect(['number', 'string', 'undefined']).toContain(typeof value)
    }
  })

  it('may throw without harm', async () => {
    const { graph, ada } = await openWorld(() => ({}), {
      onRead: () => {
        throw new Error('the log is full')
      },
    })
    expect(await graph.getMe(ada)).toMatchObject({ id: ADA })
  })
})
