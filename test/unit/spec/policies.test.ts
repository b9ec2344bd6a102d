import {
  allOf,
  anyOf,
  fieldEquals,
  hasEdgeToViewer,
  hasScope,
  isViewer,
  not,
  type Rule,
  viewerHasEdge,
} from 'kithgraph'
import { describe, expect, it } from 'vitest'
import { faultOf, loosely } from '../abuse/fault-of.ts'
import { ANN, ANSWER, BOB, CEM, HIDDEN, openNotes, SEEN } from './two-notes.ts'

const nobody = '999'

/** Asks for the edge from a friend of the viewer, as a rule of a service's own may. */
const isByFriend: Rule = {
  name: 'isByFriend',
  tests: ({ fields }, { viewer = nobody }) => [
    { source: viewer, name: 'friends', target: `${fields.author}` },
    { source: `${fields.author}`, name: 'friends', target: viewer },
  ],
  decide: (_record, _session, has) => (has.every(Boolean) ? 'allow' : 'skip'),
}

const isPublic: Rule = {
  name: 'isPublic',
  decide: ({ fields }) => (fields.privacy === 'everyone' ? 'allow' : 'deny'),
}

/** Each lets Ann see the one note and not the other. */
const RULES: readonly Rule[] = [
  isViewer({ of: 'addressee' }),
  viewerHasEdge('saved'),
  viewerHasEdge('friends', { of: 'author' }),
  hasEdgeToViewer('likes'),
  hasEdgeToViewer('friends', { of: 'author' }),
  fieldEquals('privacy', 'everyone'),
  anyOf(hasScope('moderator'), fieldEquals('author', BOB), viewerHasEdge('saved')),
  allOf(
    fieldEquals('privacy', 'everyone'),
    viewerHasEdge('friends', { of: 'author' }),
    not(hasScope('guest')),
  ),
  not(fieldEquals('privacy', 'self')),
  not(not(hasEdgeToViewer('likes'))),
  isByFriend,
  isPublic,
]

const reasonOf = async (promise: Promise<unknown>) => (await faultOf(promise)).data.reason

describe.each(RULES)('a node under $name', rule => {
  const opened = openNotes({ note: [rule] })

  it('is answered to those whom the rule allows, and missing to others', async () => {
    const { graph, ann } = await opened
    expect(await graph.getNode(ann, { id: SEEN })).toEqual({ text: 'By 2', id: SEEN })
    expect(await reasonOf(graph.getNode(ann, { id: HIDDEN }))).toBe('node_missing')
    expect(await reasonOf(graph.getNodes(ann, { ids: [SEEN, HIDDEN] }))).toBe('node_missing')
    const { __debug__, ...found } = await graph.getNodes(ann, { ids: [SEEN, HIDDEN], partial: true })
    expect(Object.keys(found)).toEqual([SEEN])
    expect(__debug__?.messages).toHaveLength(1)
  })

  it('is an entry of a list, or none', async () => {
    const { graph, ann } = await opened
    expect(await graph.getEdge(ann, { id: BOB, edge: 'notes', fields: 'id' })).toMatchObject({
      data: [{ id: SEEN }],
    })
    expect(await graph.getEdges(ann, { ids: [BOB], edge: 'notes', fields: 'id' })).toMatchObject({
      [BOB]: { data: [{ id: SEEN }] },
    })
    expect(await graph.getNode(ann, { id: BOB, type: 'person', fields: 'notes{id}' })).toMatchObject({
      notes: { data: [{ id: SEEN }] },
    })
    const walked = []
    for await (const { id } of graph.iterateEdge(ann, { id: BOB, edge: 'notes', fields: 'id', limit: 1 }))
      walked.push(id)
    expect(walked).toEqual([SEEN])
  })

  it('is named by a ref, or the ref is left out', async () => {
    const { graph, ann } = await opened
    const call = { ids: [BOB, CEM], fields: 'pinned{id}' } as const
    expect(await graph.getNodes(ann, call)).toEqual({
      [BOB]: { pinned: { id: SEEN }, id: BOB },
      [CEM]: { id: CEM },
    })
  })

  it('has edges, or is missing', async () => {
    const { graph, ann } = await opened
    expect(await graph.getEdge(ann, { id: SEEN, edge: 'answers', fields: 'id' })).toMatchObject({
      data: [{ id: ANSWER }],
    })
    expect(await reasonOf(graph.getEdge(ann, { id: HIDDEN, edge: 'answers' }))).toBe('node_missing')
    expect(await reasonOf(graph.getEdges(ann, { ids: [SEEN, HIDDEN], edge: 'answers' }))).toBe('node_missing')
    const walk = graph.iterateEdge(ann, { id: HIDDEN, edge: 'answers' })
    expect(await reasonOf(walk[Symbol.asyncIterator]().next())).toBe('node_missing')
  })

  it('is an end of an edge, or is not', async () => {
    const { graph, ann } = await opened
    expect(await graph.hasEdge(ann, { id: BOB, edge: 'notes', target: SEEN })).toBe(true)
    expect(await graph.hasEdge(ann, { id: BOB, edge: 'notes', target: HIDDEN })).toBe(false)
    expect(await graph.hasEdge(ann, { id: SEEN, edge: 'answers', target: ANSWER })).toBe(true)
    expect(await reasonOf(graph.hasEdge(ann, { id: HIDDEN, edge: 'answers', target: ANSWER }))).toBe(
      'node_missing',
    )
  })
})

describe.each(RULES)('a list under $name', rule => {
  const opened = openNotes({ answers: [rule] })

  it('is there for those whom the rule allows, and empty for others', async () => {
    const { graph, ann } = await opened
    const call = { ids: [SEEN, HIDDEN], edge: 'answers', type: 'note', fields: 'id' } as const
    expect(await graph.getEdges(ann, call)).toEqual({
      [SEEN]: expect.objectContaining({ data: [{ id: ANSWER }] }),
      [HIDDEN]: { data: [] },
    })
    expect(await graph.getEdge(ann, { id: HIDDEN, edge: 'answers' })).toEqual({ data: [] })
    expect(await graph.getNode(ann, { id: HIDDEN, type: 'note', fields: 'text,answers' })).toEqual({
      text: 'By 3',
      answers: { data: [] },
      id: HIDDEN,
    })
    expect(await graph.hasEdge(ann, { id: SEEN, edge: 'answers', target: ANSWER })).toBe(true)
    expect(await graph.hasEdge(ann, { id: HIDDEN, edge: 'answers', target: '22' })).toBe(false)
    for await (const entry of graph.iterateEdge(ann, { id: HIDDEN, edge: 'answers' }))
      expect(entry).toBeUndefined()
  })

  it('is all that the policy is about: what it leads to is not hidden', async () => {
    const { graph, ann } = await opened
    expect(await graph.getNode(ann, { id: '22', fields: 'to{text}' })).toMatchObject({ to: { text: 'By 3' } })
  })
})

describe.each(RULES)('a field under $name', rule => {
  it.each([
    ['text', 'text', 'By 2'],
    ['words', 'words', 2],
    ['author', 'author{id}', { id: BOB }],
    ['liked', 'liked', true],
  ])('is left out where the rule does not allow it: %s', async (name, fields, value) => {
    const { graph, ann } = await openNotes({ [name]: [rule] })
    expect(await loosely(graph.getNode, ann, { id: SEEN, fields })).toEqual({ [name]: value, id: SEEN })
    expect(await loosely(graph.getNode, ann, { id: HIDDEN, fields })).toEqual({ id: HIDDEN })
    expect(await loosely(graph.getEdge, ann, { id: BOB, edge: 'notes', fields })).toMatchObject({
      data: [{ id: HIDDEN }, { [name]: value, id: SEEN }],
    })
  })
})

describe('the viewer', () => {
  it('is missing where the policy of its type denies it', async () => {
    const { graph, ann, sessionOf } = await openNotes({ person: [viewerHasEdge('friends')] })
    expect(await reasonOf(graph.getMe(ann))).toBe('node_missing')
    expect(await reasonOf(graph.getEdge(ann, { id: 'me', edge: 'friends' }))).toBe('node_missing')
    expect(await graph.getNode(ann, { id: BOB })).toEqual({ name: BOB, id: BOB })
    expect(await reasonOf(graph.getNode(sessionOf(undefined), { id: BOB }))).toBe('node_missing')
  })

  it('is all that isViewer shows', async () => {
    const { graph, ann, sessionOf } = await openNotes({ person: [isViewer()] })
    expect(await graph.getMe(ann)).toEqual({ name: ANN, id: ANN })
    expect(await graph.getNode(ann, { id: ANN })).toEqual({ name: ANN, id: ANN })
    expect(await graph.getNode(ann, { id: SEEN, fields: 'author,addressee{id}' })).toEqual({
      addressee: { id: ANN },
      id: SEEN,
    })
    expect(await graph.getEdge(ann, { id: 'me', edge: 'friends' })).toEqual({ data: [] })
    expect(await reasonOf(graph.getNode(sessionOf(BOB), { id: ANN }))).toBe('node_missing')
  })
})

describe('a scope', () => {
  it('opens to a rule what it opens', async () => {
    const { graph, ann, sessionOf } = await openNotes({
      note: [hasScope('moderator')],
      text: [hasScope('reader')],
    })
    expect(await reasonOf(graph.getNode(ann, { id: HIDDEN }))).toBe('node_missing')
    expect(await graph.getNode(sessionOf(ANN, 'moderator'), { id: HIDDEN })).toEqual({ id: HIDDEN })
    const both = sessionOf(undefined, 'moderator', 'reader')
    expect(await graph.getNode(both, { id: HIDDEN })).toEqual({ text: 'By 3', id: HIDDEN })
  })
})

describe('a policy', () => {
  const deny: Rule = { name: 'deny', decide: () => 'deny' }
  const allow: Rule = { name: 'allow', decide: () => 'allow' }
  const skip: Rule = { name: 'skip', decide: () => 'skip' }

  it.each([
    [[allow, deny], true],
    [[deny, allow], false],
    [[skip, allow], true],
    [[skip, deny, allow], false],
    [[skip, skip], false],
    [[], false],
    [[viewerHasEdge('saved'), deny], true],
    [[deny, viewerHasEdge('saved')], false],
    [[viewerHasEdge('friends', { of: 'addressee' }), allow], true],
    [[viewerHasEdge('friends', { of: 'addressee' })], false],
  ])('goes by the first decision, and denies where there is none: %#', async (policy, isSeen) => {
    const closed = await openNotes({ note: policy })
    const notes = await closed.graph.getNodes(closed.ann, { ids: [SEEN], partial: true })
    expect(SEEN in notes).toBe(isSeen)
    const { graph, ann } = await openNotes({ text: policy, answers: policy })
    const note = await graph.getNode(ann, { id: SEEN, type: 'note', fields: 'text,answers{id}' })
    expect('text' in note).toBe(isSeen)
    expect(note.answers.data).toHaveLength(isSeen ? 1 : 0)
  })

  it('is what hides: without one, all is seen', async () => {
    const { graph, ann } = await openNotes({})
    const fields = 'notes{text,words,author{pinned{id}},liked,answers{id}}'
    const { notes } = await graph.getNode(ann, { id: BOB, type: 'person', fields })
    expect(notes.data.map(({ author }) => author?.pinned)).toEqual([{ id: HIDDEN }, { id: SEEN }])
    expect(notes.data.map(note => Object.keys(note).length)).toEqual([6, 6])
  })

  it('does not ask a rule behind one that decided without a test', async () => {
    const { graph, ann, store } = await openNotes({ note: [allow, viewerHasEdge('saved')] })
    await graph.getNode(ann, { id: SEEN })
    expect(store.reads.flatMap(({ wave }) => wave.tests)).toEqual([])
  })

  it('is met by whatever was asked for in the same call, too', async () => {
    const { graph, ann, store } = await openNotes({ note: [hasEdgeToViewer('likes')] })
    await graph.getEdge(ann, { id: BOB, edge: 'notes', fields: 'liked' })
    expect(store.reads.map(({ asked }) => asked.tests)).toEqual([0, 2])
    store.clear()
    await graph.getNode(ann, { id: SEEN, type: 'note', fields: 'liked' })
    expect(store.reads.map(({ asked }) => asked.tests)).toEqual([0, 1])
  })
})
