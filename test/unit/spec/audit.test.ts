import { allOf, fieldEquals, hasScope, not, type Rule, viewerHasEdge } from 'kithgraph'
import { describe, expect, it } from 'vitest'
import type { ReadEvent } from '../../../src/execute/read-event.ts'
import type { Store } from '../../../src/store/contract.ts'
import { faultOf, loosely } from '../abuse/fault-of.ts'
import { ANN, ANSWER, BOB, HIDDEN, openNotes, type Policies, SEEN } from './two-notes.ts'

const listen = async (policies: Policies, replaced?: (store: Store) => Partial<Store>) => {
  const events: ReadEvent[] = []
  const onRead = (event: ReadEvent) => void events.push(event)
  const world = await openNotes(policies, { onRead, ...(replaced && { replaced }) })
  const of = <TKind extends ReadEvent['kind']>(kind: TKind) =>
    events.filter((event): event is Extract<ReadEvent, { kind: TKind }> => event.kind === kind)
  return { ...world, events, of }
}

describe('what a call was denied', () => {
  const isDraft = not(fieldEquals('privacy', 'everyone'))

  it('is told by the names of rules, and how often', async () => {
    const { graph, ann, of } = await listen({ note: [not(fieldEquals('privacy', 'self'))] })
    await graph.getEdge(ann, { id: BOB, edge: 'notes' })
    await graph.getNodes(ann, { ids: [SEEN, HIDDEN], partial: true })
    await graph.getNode(ann, { id: SEEN })
    const denial = { rule: 'not(fieldEquals(privacy, self))', count: 1 }
    expect(of('query').map(({ denials }) => denials)).toEqual([[denial], [denial], []])
  })

  it('is told as no rule where none allowed', async () => {
    const { graph, ann, of } = await listen({
      note: [viewerHasEdge('saved')],
      text: [],
      answers: [hasScope('x')],
    })
    await graph.getNode(ann, { id: BOB, type: 'person', fields: 'notes{text,answers}' })
    expect(of('query').map(({ denials }) => denials)).toEqual([[{ rule: 'no rule', count: 3 }]])
  })

  it('is told of every place that has a policy, the first denied first', async () => {
    const policies = {
      note: [isDraft, viewerHasEdge('saved')],
      text: [not(viewerHasEdge('saved'))],
      answers: [],
    }
    const { graph, ann, of } = await listen(policies)
    await graph.getNode(ann, { id: BOB, type: 'person', fields: 'notes{text,answers}' })
    expect(of('query')[0]?.denials).toEqual([
      { rule: 'not(fieldEquals(privacy, everyone))', count: 1 },
      { rule: 'no rule', count: 1 },
    ])
  })

  it('is told of a call that failed, too', async () => {
    const { graph, ann, of } = await listen({ note: [viewerHasEdge('saved')] })
    await faultOf(graph.getNode(ann, { id: HIDDEN }))
    expect(of('query')).toMatchObject([{ fault: 'node_missing', denials: [{ rule: 'no rule', count: 1 }] }])
  })

  it('is told of each record once, though its page took several reads', async () => {
    const { graph, ann, of } = await listen({ note: [viewerHasEdge('saved')] })
    const walk = graph.iterateEdge(ann, { id: BOB, edge: 'notes', limit: 1 })
    for await (const entry of walk) expect(entry.id).toBe(SEEN)
    expect(of('query').flatMap(({ denials }) => denials)).toEqual([{ rule: 'no rule', count: 1 }])
  })

  it('holds no id and no value', async () => {
    const { graph, ann, of } = await listen({ note: [viewerHasEdge('saved')] })
    await graph.getEdge(ann, { id: BOB, edge: 'notes', fields: 'text,author{name}' })
    for (const { denials } of of('query')) {
      expect(denials.every(denial => Object.keys(denial).join() === 'rule,count')).toBe(true)
    }
  })
})

const broken = (name: string, where: Partial<Rule>): Rule => ({ name, decide: () => 'allow', ...where })
const fail = (): never => {
  throw new Error('the rule is broken')
}

/** Rules that break in every way that they can. */
const BROKEN: readonly Rule[] = [
  broken('decide throws', { decide: fail }),
  broken('tests throws', { tests: fail }),
  broken('no decision', { decide: () => Object(undefined) }),
  broken('a promise', { decide: () => Object(Promise.resolve('allow')) }),
  broken('a test of no node', { tests: () => [{ source: 'x', name: 'friends', target: ANN }] }),
  broken('no list of tests', { tests: () => Object(7) }),
]

describe('a rule that throws', () => {
  it.each(BROKEN)('denies: $name', async rule => {
    const { graph, ann } = await listen({ note: [rule] })
    expect((await faultOf(graph.getNode(ann, { id: SEEN }))).data.reason).toBe('node_missing')
    expect(await graph.getEdge(ann, { id: BOB, edge: 'notes', summary: true })).toMatchObject({
      data: [],
      summary: { total_count: 0 },
    })
    const { graph: other, ann: session } = await listen({ text: [rule], answers: [rule] })
    expect(await loosely(other.getNode, session, { id: SEEN, fields: 'text,answers' })).toEqual({
      answers: { data: [] },
      id: SEEN,
    })
  })

  it.each(BROKEN)('lets nobody in by way of another rule: $name', async rule => {
    for (const composed of [not(rule), not(not(rule)), not(allOf(hasScope('x'), rule))]) {
      const { graph, ann } = await listen({ note: [composed] })
      expect((await faultOf(graph.getNode(ann, { id: SEEN }))).data.reason, composed.name).toBe(
        'node_missing',
      )
    }
  })

  it.each(BROKEN)('is not gone past: no rule behind it is asked: $name', async rule => {
    const { graph, ann } = await listen({ note: [rule, broken('allow', {})] })
    expect((await faultOf(graph.getNode(ann, { id: SEEN }))).data.reason).toBe('node_missing')
  })

  it('is told of with its error, once a call', async () => {
    const error = new Error('the rule is broken')
    const rule = broken('careless', {
      decide() {
        throw error
      },
    })
    const { graph, ann, of } = await listen({ note: [rule], text: [rule] })
    await graph.getEdge(ann, { id: BOB, edge: 'notes' })
    expect(of('rule')).toEqual([{ kind: 'rule', method: 'getEdge', rule: 'careless', error }])
    expect(of('rule')[0]?.error).toBe(error)
    await faultOf(graph.getNode(ann, { id: SEEN }))
    expect(of('rule').map(({ method }) => method)).toEqual(['getEdge', 'getNode'])
    expect(of('query').map(({ denials }) => denials)).toEqual([
      [{ rule: 'careless', count: 2 }],
      [{ rule: 'careless', count: 1 }],
    ])
  })

  it('is told of for each rule', async () => {
    const { graph, ann, of } = await listen({
      note: [],
      text: BROKEN.slice(0, 1),
      answers: BROKEN.slice(1, 2),
    })
    await graph.getNode(ann, { id: BOB, fields: 'name' })
    expect(of('rule')).toEqual([])
    const open = await listen({ text: BROKEN.slice(0, 1), answers: BROKEN.slice(1, 2) })
    await loosely(open.graph.getNode, open.ann, { id: SEEN, fields: 'text,answers' })
    expect(
      open
        .of('rule')
        .map(({ rule }) => rule)
        .sort(),
    ).toEqual(['decide throws', 'tests throws'])
  })

  it('shows nothing of its error in the answer', async () => {
    const { graph, ann } = await listen({ note: BROKEN.slice(0, 1) })
    const fault = await faultOf(graph.getNode(ann, { id: SEEN, debug: 'all' }))
    expect(JSON.stringify(fault.toJSON())).not.toContain('broken')
    expect(await graph.getEdge(ann, { id: BOB, edge: 'notes', debug: 'all' })).toEqual({
      data: [],
      __debug__: { messages: [] },
    })
  })
})

describe('a store that fails below a rule', () => {
  /** Answers everything but tests. */
  const withoutTests = (store: Store): Partial<Store> => ({
    read(wave, options) {
      if (wave.tests.length > 0) throw new Error('the disk is gone')
      return store.read(wave, options)
    },
  })

  const rule = viewerHasEdge('saved')
  const CALLS: readonly [
    'getNode' | 'getNodes' | 'getMe' | 'getEdge' | 'getEdges' | 'hasEdge',
    Policies,
    object,
  ][] = [
    ['getNode', { note: [rule] }, { id: SEEN }],
    ['getNodes', { note: [rule] }, { ids: [BOB, SEEN], partial: true }],
    ['getMe', { person: [viewerHasEdge('friends')] }, {}],
    ['getEdge', { note: [rule] }, { id: BOB, edge: 'notes' }],
    ['getEdge', { answers: [rule] }, { id: SEEN, edge: 'answers', summary: true }],
    ['getEdges', { note: [rule] }, { ids: [BOB], edge: 'notes', partial: true }],
    ['getNode', { note: [rule] }, { id: BOB, fields: 'pinned' }],
    ['getNode', { note: [rule] }, { id: ANSWER, fields: 'to' }],
    ['getNode', { text: [rule] }, { id: SEEN, fields: 'text' }],
    ['getNode', { note: [not(rule)] }, { id: SEEN }],
    ['hasEdge', { note: [rule] }, { id: BOB, edge: 'notes', target: SEEN }],
  ]

  it.each(CALLS)('fails the call, and is no denial: %s %j %j', async (method, policies, call) => {
    const { graph, ann, of } = await listen(policies, withoutTests)
    const fault = await faultOf(loosely(graph[method], ann, call))
    expect(fault.data.reason).toBe('store_fault')
    expect(fault.status).toBe(503)
    expect(of('query')).toMatchObject([{ fault: 'store_fault', denials: [] }])
    expect(of('rule')).toEqual([])
  })
})
