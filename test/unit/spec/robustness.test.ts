import { createGraph, type Store } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { isGraphError } from '../../../src/base/faults.ts'

const ada = { op: 'putNode', node: { id: '1', type: 'user', fields: { name: 'Ada' } } } as const

const storeOf = (changes: Partial<Store>): Store => {
  const store = createMemoryStore()
  store.write([ada])
  return { ...store, ...changes }
}

const reasonOf = async (answer: Promise<unknown>): Promise<unknown> => {
  const fault: unknown = await answer.catch((error: unknown) => error)
  return isGraphError(fault) ? fault.data.reason : fault
}

describe('a listener that rejects', () => {
  it('is as harmless as one that throws', async () => {
    const onRead = async () => {
      throw new Error('listener')
    }
    const graph = createGraph(storeOf({}), { onRead })
    const session = graph.session({ viewer: '1', app: 'demo', scopes: [] })
    // An unhandled rejection would fail this run.
    expect(await graph.getMe(session)).toEqual({ name: 'Ada', id: '1' })
  })
})

describe('a snapshot', () => {
  const limits = { deadline: 500 }
  const consistency = 'snapshot'

  it('that cannot be closed takes nothing from the answer', async () => {
    const memory = createMemoryStore()
    memory.write([ada])
    const refusing = {
      ...memory,
      snapshot: () => ({ ...memory.snapshot(), close: () => Promise.reject(new Error('no')) }),
    }
    const hanging = {
      ...memory,
      snapshot: () => ({ ...memory.snapshot(), close: () => new Promise<void>(() => undefined) }),
    }
    for (const store of [refusing, hanging]) {
      const graph = createGraph(store, { consistency, limits })
      const session = graph.session({ viewer: '1', app: 'demo', scopes: [] })
      expect(await graph.getMe(session)).toEqual({ name: 'Ada', id: '1' })
    }
  })

  it('is not taken for a call without a token, nor for one that was aborted', async () => {
    let taken = 0
    const snapshot = () => {
      taken++
      return new Promise<never>(() => undefined)
    }
    const graph = createGraph(storeOf({ snapshot }), { consistency, limits })
    const session = graph.session({ viewer: '1', app: 'demo', scopes: [] })
    expect(await reasonOf(graph.getMe(''))).toBe('token_missing')
    expect(await reasonOf(graph.getMe(session, { signal: AbortSignal.abort() }))).toBe('aborted')
    expect(taken).toBe(0)
  })
})

describe('a date', () => {
  const DAY = 86_400_000

  it('counts as it was when the call was made, for the page and its links', async () => {
    const memory = createMemoryStore()
    memory.write([
      ada,
      ...[2, 3, 4, 5].flatMap(day => [
        { op: 'putNode', node: { id: `${day}`, type: 'post', fields: {} } } as const,
        { op: 'putEdge', edge: { source: '1', name: 'posts', target: `${day}`, time: day * DAY } } as const,
      ]),
    ])
    const graph = createGraph({ ...memory, read: async (wave, options) => memory.read(wave, options) })
    const token = await graph.tokens.issue({ viewer: '1', app: 'demo', scopes: ['user_posts'] })
    const until = new Date(2 * DAY)
    const pages: Promise<{ data: { id?: string }[]; paging?: { next?: string } }>[] = []
    for (; until.getTime() <= 4 * DAY; until.setTime(until.getTime() + DAY))
      pages.push(graph.getEdge(token, { id: 'me', edge: 'posts', fields: 'id', until, limit: 1 }))
    const answers = await Promise.all(pages)
    expect(answers.map(({ data }) => data)).toEqual([[{ id: '2' }], [{ id: '3' }], [{ id: '4' }]])
    const links = answers.map(({ paging }) => new URLSearchParams(paging?.next?.split('?')[1]).get('until'))
    expect(links).toEqual([null, new Date(3 * DAY).toISOString(), new Date(4 * DAY).toISOString()])
  })
})

describe('several edges', () => {
  it.each([[['11', '999']], [['999', '11']]])(
    '%j: a missing node comes before an unknown name',
    async ids => {
      const graph = createGraph(storeOf({}))
      await graph.write([{ op: 'putNode', node: { id: '11', type: 'page', fields: { name: 'Page' } } }])
      const session = graph.session({ app: 'demo', scopes: [] })
      expect(await reasonOf(graph.getEdges(session, { ids, edge: 'comments' }))).toBe('node_missing')
    },
  )
})

describe('a store that does not get on in a list', () => {
  it('is a store fault at once, not a call without end', async () => {
    const memory = createMemoryStore()
    memory.write([ada])
    const end = { time: 0, target: '5' }
    const read: Store['read'] = (wave, options) => ({
      ...memory.read(wave, options),
      ranges: wave.ranges.map(() => ({ entries: [], more: true, end, total: undefined })),
    })
    const graph = createGraph({ ...memory, read })
    const session = graph.session({ viewer: '1', app: 'demo', scopes: ['user_photos'] })
    expect(await reasonOf(graph.getEdge(session, { id: '1', type: 'user', edge: 'photos' }))).toBe(
      'store_fault',
    )
  })
})

describe('several ids under partial', () => {
  it('leave out one that is none, and say so', async () => {
    const graph = createGraph(storeOf({}))
    const session = graph.session({ app: 'demo', scopes: [] })
    const answers = await graph.getNodes(session, { ids: ['1', 'abc'], partial: true })
    expect(Object.keys(answers)).toEqual(['1', '__debug__'])
    expect(JSON.stringify(answers)).toContain('Invalid parameter id')
    expect(await reasonOf(graph.getNodes(session, { ids: ['1', 'abc'] }))).toBe('bad_parameter')
  })
})
