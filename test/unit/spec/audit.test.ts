import { allOf, fieldEquals, hasScope, not, type Rule, viewerHasEdge } from 'kithgraph'
import { describe, expect, it } from 'vitest'
import type { GraphEvent } from '../../../src/core/events.ts'
import type { Store } from '../../../src/store/contract.ts'
import { callUntyped, expectGraphError } from '../abuse/expect-graph-error.ts'
import { ANN, ANSWER_ID, BOB, HIDDEN_NOTE, type NotePolicies, openNotes, VISIBLE_NOTE } from './note-world.ts'

const openWithEvents = async (policies: NotePolicies, overrideStore?: (store: Store) => Partial<Store>) => {
  const events: GraphEvent[] = []
  const onEvent = (event: GraphEvent) => void events.push(event)
  const world = await openNotes(policies, { onEvent, ...(overrideStore && { overrideStore }) })
  const of = <TKind extends GraphEvent['kind']>(kind: TKind) =>
    events.filter((event): event is Extract<GraphEvent, { kind: TKind }> => event.kind === kind)
  return { ...world, events, of }
}

describe('the policy denials in the query event of a call', () => {
  const isDraft = not(fieldEquals('privacy', 'everyone'))

  it('are counted for each rule, by its name', async () => {
    const { graph, ann, of } = await openWithEvents({ note: [not(fieldEquals('privacy', 'self'))] })
    await graph.getEdge(ann, { id: BOB, edge: 'notes' })
    await graph.getNodes(ann, { ids: [VISIBLE_NOTE, HIDDEN_NOTE], partial: true })
    await graph.getNode(ann, { id: VISIBLE_NOTE })
    const denial = { rule: 'not(fieldEquals(privacy, self))', count: 1 }
    expect(of('query').map(({ denials }) => denials)).toEqual([[denial], [denial], []])
  })

  it("are reported as 'no rule' if no rule decided", async () => {
    const { graph, ann, of } = await openWithEvents({
      note: [viewerHasEdge('saved')],
      text: [],
      answers: [hasScope('x')],
    })
    await graph.getNode(ann, { id: BOB, type: 'person', fields: 'notes{text,answers}' })
    expect(of('query').map(({ denials }) => denials)).toEqual([[{ rule: 'no rule', count: 3 }]])
  })

  it('include denied nodes and edges, in the order of the denials', async () => {
    const policies = {
      note: [isDraft, viewerHasEdge('saved')],
      text: [not(viewerHasEdge('saved'))],
      answers: [],
    }
    const { graph, ann, of } = await openWithEvents(policies)
    await graph.getNode(ann, { id: BOB, type: 'person', fields: 'notes{text,answers}' })
    expect(of('query')[0]?.denials).toEqual([
      { rule: 'not(fieldEquals(privacy, everyone))', count: 1 },
      { rule: 'no rule', count: 1 },
    ])
  })

  it('are reported even if the call fails', async () => {
    const { graph, ann, of } = await openWithEvents({ note: [viewerHasEdge('saved')] })
    await expectGraphError(graph.getNode(ann, { id: HIDDEN_NOTE }))
    expect(of('query')).toMatchObject([
      { reason: 'node_not_found', denials: [{ rule: 'no rule', count: 1 }] },
    ])
  })

  it('count a hidden entry once if iterateEdge reads its list with a limit of 1', async () => {
    const { graph, ann, of } = await openWithEvents({ note: [viewerHasEdge('saved')] })
    const walk = graph.iterateEdge(ann, { id: BOB, edge: 'notes', limit: 1 })
    for await (const entry of walk) expect(entry.id).toBe(VISIBLE_NOTE)
    expect(of('query').flatMap(({ denials }) => denials)).toEqual([{ rule: 'no rule', count: 1 }])
  })

  it('contain only the names of rules and counts', async () => {
    const { graph, ann, of } = await openWithEvents({ note: [viewerHasEdge('saved')] })
    await graph.getEdge(ann, { id: BOB, edge: 'notes', fields: 'text,author{name}' })
    for (const { denials } of of('query')) {
      expect(denials.every(denial => Object.keys(denial).join() === 'rule,count')).toBe(true)
    }
  })
})

const createBrokenRule = (name: string, parts: Partial<Rule>): Rule => ({
  name,
  decide: () => 'allow',
  ...parts,
})
const fail = (): never => {
  throw new Error('the rule is broken')
}

/** Rules that fail in every possible way. */
const BROKEN: readonly Rule[] = [
  createBrokenRule('decide throws', { decide: fail }),
  createBrokenRule('checks throws', { checks: fail }),
  createBrokenRule('decide returns undefined', { decide: () => Object(undefined) }),
  createBrokenRule('decide returns a promise', { decide: () => Object(Promise.resolve('allow')) }),
  createBrokenRule('checks returns an invalid id', {
    checks: () => [{ source: 'x', name: 'friends', target: ANN }],
  }),
  createBrokenRule('checks returns no list', { checks: () => Object(7) }),
]

describe('a broken rule', () => {
  it.each(BROKEN)('denies access: $name', async rule => {
    const { graph, ann } = await openWithEvents({ note: [rule] })
    expect((await expectGraphError(graph.getNode(ann, { id: VISIBLE_NOTE }))).reason).toBe('node_not_found')
    expect(await graph.getEdge(ann, { id: BOB, edge: 'notes', summary: true })).toMatchObject({
      data: [],
      summary: { total_count: 0 },
    })
    const { graph: other, ann: session } = await openWithEvents({ text: [rule], answers: [rule] })
    expect(await callUntyped(other.getNode, session, { id: VISIBLE_NOTE, fields: 'text,answers' })).toEqual({
      answers: { data: [] },
      id: VISIBLE_NOTE,
    })
  })

  it.each(BROKEN)('denies access even inside not and allOf: $name', async rule => {
    for (const composed of [not(rule), not(not(rule)), not(allOf(hasScope('x'), rule))]) {
      const { graph, ann } = await openWithEvents({ note: [composed] })
      expect((await expectGraphError(graph.getNode(ann, { id: VISIBLE_NOTE }))).reason, composed.name).toBe(
        'node_not_found',
      )
    }
  })

  it.each(BROKEN)('denies access even if a rule after it would allow: $name', async rule => {
    const { graph, ann } = await openWithEvents({ note: [rule, createBrokenRule('allow', {})] })
    expect((await expectGraphError(graph.getNode(ann, { id: VISIBLE_NOTE }))).reason).toBe('node_not_found')
  })

  it('is reported with its error in one event per call', async () => {
    const error = new Error('the rule is broken')
    const rule = createBrokenRule('careless', {
      decide() {
        throw error
      },
    })
    const { graph, ann, of } = await openWithEvents({ note: [rule], text: [rule] })
    await graph.getEdge(ann, { id: BOB, edge: 'notes' })
    expect(of('rule')).toEqual([{ kind: 'rule', method: 'getEdge', rule: 'careless', error }])
    expect(of('rule')[0]?.error).toBe(error)
    await expectGraphError(graph.getNode(ann, { id: VISIBLE_NOTE }))
    expect(of('rule').map(({ method }) => method)).toEqual(['getEdge', 'getNode'])
    expect(of('query').map(({ denials }) => denials)).toEqual([
      [{ rule: 'careless', count: 2 }],
      [{ rule: 'careless', count: 1 }],
    ])
  })

  it('is reported separately from other broken rules', async () => {
    const { graph, ann, of } = await openWithEvents({
      note: [],
      text: BROKEN.slice(0, 1),
      answers: BROKEN.slice(1, 2),
    })
    await graph.getNode(ann, { id: BOB, fields: 'name' })
    expect(of('rule')).toEqual([])
    const open = await openWithEvents({ text: BROKEN.slice(0, 1), answers: BROKEN.slice(1, 2) })
    await callUntyped(open.graph.getNode, open.ann, { id: VISIBLE_NOTE, fields: 'text,answers' })
    expect(
      open
        .of('rule')
        .map(({ rule }) => rule)
        .sort(),
    ).toEqual(['checks throws', 'decide throws'])
  })

  it('shows nothing of its error in the result', async () => {
    const { graph, ann } = await openWithEvents({ note: BROKEN.slice(0, 1) })
    const error = await expectGraphError(graph.getNode(ann, { id: VISIBLE_NOTE, debug: 'all' }))
    expect(JSON.stringify(error.toJSON())).not.toContain('broken')
    expect(await graph.getEdge(ann, { id: BOB, edge: 'notes', debug: 'all' })).toEqual({
      data: [],
      __debug__: { messages: [] },
    })
  })
})

describe('a store that fails during a check of a rule', () => {
  /** Fails each read that has checks. */
  const withoutChecks = (store: Store): Partial<Store> => ({
    read(request, options) {
      if (request.checks.length > 0) throw new Error('the disk is gone')
      return store.read(request, options)
    },
  })

  const rule = viewerHasEdge('saved')
  const CALLS: readonly [
    'getNode' | 'getNodes' | 'getMe' | 'getEdge' | 'getEdges' | 'hasEdge',
    NotePolicies,
    object,
  ][] = [
    ['getNode', { note: [rule] }, { id: VISIBLE_NOTE }],
    ['getNodes', { note: [rule] }, { ids: [BOB, VISIBLE_NOTE], partial: true }],
    ['getMe', { person: [viewerHasEdge('friends')] }, {}],
    ['getEdge', { note: [rule] }, { id: BOB, edge: 'notes' }],
    ['getEdge', { answers: [rule] }, { id: VISIBLE_NOTE, edge: 'answers', summary: true }],
    ['getEdges', { note: [rule] }, { ids: [BOB], edge: 'notes', partial: true }],
    ['getNode', { note: [rule] }, { id: BOB, fields: 'pinned' }],
    ['getNode', { note: [rule] }, { id: ANSWER_ID, fields: 'to' }],
    ['getNode', { text: [rule] }, { id: VISIBLE_NOTE, fields: 'text' }],
    ['getNode', { note: [not(rule)] }, { id: VISIBLE_NOTE }],
    ['hasEdge', { note: [rule] }, { id: BOB, edge: 'notes', target: VISIBLE_NOTE }],
  ]

  it.each(CALLS)('fails the call instead of denying access: %s %j %j', async (method, policies, call) => {
    const { graph, ann, of } = await openWithEvents(policies, withoutChecks)
    const error = await expectGraphError(callUntyped(graph[method], ann, call))
    expect(error.reason).toBe('store_error')
    expect(error.status).toBe(503)
    expect(of('query')).toMatchObject([{ reason: 'store_error', denials: [] }])
    expect(of('rule')).toEqual([])
  })
})
