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
import { callUntyped, expectGraphError } from '../abuse/expect-graph-error.ts'
import { ANN, ANSWER_ID, BOB, EVE, HIDDEN_NOTE, openNotes, VISIBLE_NOTE } from './note-world.ts'

const nobody = '999'

/** Checks the friendship of viewer and author in both directions, as a custom rule may. */
const isByFriend: Rule = {
  name: 'isByFriend',
  checks: ({ fields }, { viewer = nobody }) => [
    { source: viewer, name: 'friends', target: `${fields.author}` },
    { source: `${fields.author}`, name: 'friends', target: viewer },
  ],
  decide: (_record, _session, found) => (found.every(Boolean) ? 'allow' : 'skip'),
}

const isPublic: Rule = {
  name: 'isPublic',
  decide: ({ fields }) => (fields.privacy === 'everyone' ? 'allow' : 'deny'),
}

/** Each rule lets Ann see the first note and not the second. */
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

const catchReason = async (promise: Promise<unknown>) => (await expectGraphError(promise)).reason

describe.each(RULES)('a node under the rule $name', rule => {
  const opened = openNotes({ note: [rule] })

  it('is returned if the rule allows it, and missing otherwise', async () => {
    const { graph, ann } = await opened
    expect(await graph.getNode(ann, { id: VISIBLE_NOTE })).toEqual({ text: 'By 2', id: VISIBLE_NOTE })
    expect(await catchReason(graph.getNode(ann, { id: HIDDEN_NOTE }))).toBe('node_not_found')
    expect(await catchReason(graph.getNodes(ann, { ids: [VISIBLE_NOTE, HIDDEN_NOTE] }))).toBe(
      'node_not_found',
    )
    const { __debug__, ...found } = await graph.getNodes(ann, {
      ids: [VISIBLE_NOTE, HIDDEN_NOTE],
      partial: true,
    })
    expect(Object.keys(found)).toEqual([VISIBLE_NOTE])
    expect(__debug__?.messages).toHaveLength(1)
  })

  it('is an entry of a list only if the rule allows it', async () => {
    const { graph, ann } = await opened
    expect(await graph.getEdge(ann, { id: BOB, edge: 'notes', fields: 'id' })).toMatchObject({
      data: [{ id: VISIBLE_NOTE }],
    })
    expect(await graph.getEdges(ann, { ids: [BOB], edge: 'notes', fields: 'id' })).toMatchObject({
      [BOB]: { data: [{ id: VISIBLE_NOTE }] },
    })
    expect(await graph.getNode(ann, { id: BOB, type: 'person', fields: 'notes{id}' })).toMatchObject({
      notes: { data: [{ id: VISIBLE_NOTE }] },
    })
    const walked = []
    for await (const { id } of graph.iterateEdge(ann, { id: BOB, edge: 'notes', fields: 'id', limit: 1 }))
      walked.push(id)
    expect(walked).toEqual([VISIBLE_NOTE])
  })

  it('is the target of a ref only if the rule allows it', async () => {
    const { graph, ann } = await opened
    const call = { ids: [BOB, EVE], fields: 'pinned{id}' } as const
    expect(await graph.getNodes(ann, call)).toEqual({
      [BOB]: { pinned: { id: VISIBLE_NOTE }, id: BOB },
      [EVE]: { id: EVE },
    })
  })

  it('is the source of an edge only if the rule allows it', async () => {
    const { graph, ann } = await opened
    expect(await graph.getEdge(ann, { id: VISIBLE_NOTE, edge: 'answers', fields: 'id' })).toMatchObject({
      data: [{ id: ANSWER_ID }],
    })
    expect(await catchReason(graph.getEdge(ann, { id: HIDDEN_NOTE, edge: 'answers' }))).toBe('node_not_found')
    expect(
      await catchReason(graph.getEdges(ann, { ids: [VISIBLE_NOTE, HIDDEN_NOTE], edge: 'answers' })),
    ).toBe('node_not_found')
    const walk = graph.iterateEdge(ann, { id: HIDDEN_NOTE, edge: 'answers' })
    expect(await catchReason(walk[Symbol.asyncIterator]().next())).toBe('node_not_found')
  })

  it('is accepted by hasEdge as source or target only if the rule allows it', async () => {
    const { graph, ann } = await opened
    expect(await graph.hasEdge(ann, { id: BOB, edge: 'notes', target: VISIBLE_NOTE })).toBe(true)
    expect(await graph.hasEdge(ann, { id: BOB, edge: 'notes', target: HIDDEN_NOTE })).toBe(false)
    expect(await graph.hasEdge(ann, { id: VISIBLE_NOTE, edge: 'answers', target: ANSWER_ID })).toBe(true)
    expect(
      await catchReason(graph.hasEdge(ann, { id: HIDDEN_NOTE, edge: 'answers', target: ANSWER_ID })),
    ).toBe('node_not_found')
  })
})

describe.each(RULES)('a list under the rule $name', rule => {
  const opened = openNotes({ answers: [rule] })

  it('is returned if the rule allows it, and empty otherwise', async () => {
    const { graph, ann } = await opened
    const call = { ids: [VISIBLE_NOTE, HIDDEN_NOTE], edge: 'answers', type: 'note', fields: 'id' } as const
    expect(await graph.getEdges(ann, call)).toEqual({
      [VISIBLE_NOTE]: expect.objectContaining({ data: [{ id: ANSWER_ID }] }),
      [HIDDEN_NOTE]: { data: [] },
    })
    expect(await graph.getEdge(ann, { id: HIDDEN_NOTE, edge: 'answers' })).toEqual({ data: [] })
    expect(await graph.getNode(ann, { id: HIDDEN_NOTE, type: 'note', fields: 'text,answers' })).toEqual({
      text: 'By 3',
      answers: { data: [] },
      id: HIDDEN_NOTE,
    })
    expect(await graph.hasEdge(ann, { id: VISIBLE_NOTE, edge: 'answers', target: ANSWER_ID })).toBe(true)
    expect(await graph.hasEdge(ann, { id: HIDDEN_NOTE, edge: 'answers', target: '22' })).toBe(false)
    for await (const entry of graph.iterateEdge(ann, { id: HIDDEN_NOTE, edge: 'answers' }))
      expect(entry).toBeUndefined()
  })

  it('does not hide the nodes of its entries from other reads', async () => {
    const { graph, ann } = await opened
    expect(await graph.getNode(ann, { id: '22', fields: 'to{text}' })).toMatchObject({ to: { text: 'By 3' } })
  })
})

describe.each(RULES)('a field under the rule $name', rule => {
  it.each([
    ['text', 'text', 'By 2'],
    ['words', 'words', 2],
    ['author', 'author{id}', { id: BOB }],
    ['liked', 'liked', true],
  ])('is left out if the rule does not allow it: %s', async (name, fields, value) => {
    const { graph, ann } = await openNotes({ [name]: [rule] })
    expect(await callUntyped(graph.getNode, ann, { id: VISIBLE_NOTE, fields })).toEqual({
      [name]: value,
      id: VISIBLE_NOTE,
    })
    expect(await callUntyped(graph.getNode, ann, { id: HIDDEN_NOTE, fields })).toEqual({ id: HIDDEN_NOTE })
    expect(await callUntyped(graph.getEdge, ann, { id: BOB, edge: 'notes', fields })).toMatchObject({
      data: [{ id: HIDDEN_NOTE }, { [name]: value, id: VISIBLE_NOTE }],
    })
  })
})

describe('the node of the viewer', () => {
  it('is treated as missing if the policy of its type denies it', async () => {
    const { graph, ann, sessionOf } = await openNotes({ person: [viewerHasEdge('friends')] })
    expect(await catchReason(graph.getMe(ann))).toBe('node_not_found')
    expect(await catchReason(graph.getEdge(ann, { id: 'me', edge: 'friends' }))).toBe('node_not_found')
    expect(await graph.getNode(ann, { id: BOB })).toEqual({ name: BOB, id: BOB })
    expect(await catchReason(graph.getNode(sessionOf(undefined), { id: BOB }))).toBe('node_not_found')
  })

  it('is the only node of its type that the rule isViewer allows', async () => {
    const { graph, ann, sessionOf } = await openNotes({ person: [isViewer()] })
    expect(await graph.getMe(ann)).toEqual({ name: ANN, id: ANN })
    expect(await graph.getNode(ann, { id: ANN })).toEqual({ name: ANN, id: ANN })
    expect(await graph.getNode(ann, { id: VISIBLE_NOTE, fields: 'author,addressee{id}' })).toEqual({
      addressee: { id: ANN },
      id: VISIBLE_NOTE,
    })
    expect(await graph.getEdge(ann, { id: 'me', edge: 'friends' })).toEqual({ data: [] })
    expect(await catchReason(graph.getNode(sessionOf(BOB), { id: ANN }))).toBe('node_not_found')
  })
})

describe('the rule hasScope', () => {
  it('allows a token with the scope and denies others', async () => {
    const { graph, ann, sessionOf } = await openNotes({
      note: [hasScope('moderator')],
      text: [hasScope('reader')],
    })
    expect(await catchReason(graph.getNode(ann, { id: HIDDEN_NOTE }))).toBe('node_not_found')
    expect(await graph.getNode(sessionOf(ANN, 'moderator'), { id: HIDDEN_NOTE })).toEqual({ id: HIDDEN_NOTE })
    const both = sessionOf(undefined, 'moderator', 'reader')
    expect(await graph.getNode(both, { id: HIDDEN_NOTE })).toEqual({ text: 'By 3', id: HIDDEN_NOTE })
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
  ])('follows the first rule that decides, and denies if none does: case %#', async (policy, isSeen) => {
    const world = await openNotes({ note: policy })
    const notes = await world.graph.getNodes(world.ann, { ids: [VISIBLE_NOTE], partial: true })
    expect(VISIBLE_NOTE in notes).toBe(isSeen)
    const { graph, ann } = await openNotes({ text: policy, answers: policy })
    const note = await graph.getNode(ann, { id: VISIBLE_NOTE, type: 'note', fields: 'text,answers{id}' })
    expect('text' in note).toBe(isSeen)
    expect(note.answers.data).toHaveLength(isSeen ? 1 : 0)
  })

  it('is optional, and nothing is hidden without one', async () => {
    const { graph, ann } = await openNotes({})
    const fields = 'notes{text,words,author{pinned{id}},liked,answers{id}}'
    const { notes } = await graph.getNode(ann, { id: BOB, type: 'person', fields })
    expect(notes.data.map(({ author }) => author?.pinned)).toEqual([
      { id: HIDDEN_NOTE },
      { id: VISIBLE_NOTE },
    ])
    expect(notes.data.map(note => Object.keys(note).length)).toEqual([6, 6])
  })

  it('reads no checks for the rules after a rule that decides', async () => {
    const { graph, ann, store } = await openNotes({ note: [allow, viewerHasEdge('saved')] })
    await graph.getNode(ann, { id: VISIBLE_NOTE })
    expect(store.reads.flatMap(({ request }) => request.checks)).toEqual([])
  })

  it('shares its checks with fields that need the same checks', async () => {
    const { graph, ann, store } = await openNotes({ note: [hasEdgeToViewer('likes')] })
    await graph.getEdge(ann, { id: BOB, edge: 'notes', fields: 'liked' })
    expect(store.reads.map(({ requested }) => requested.checks)).toEqual([0, 2])
    store.clear()
    await graph.getNode(ann, { id: VISIBLE_NOTE, type: 'note', fields: 'liked' })
    expect(store.reads.map(({ requested }) => requested.checks)).toEqual([0, 1])
  })
})
