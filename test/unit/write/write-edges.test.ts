import { describe, expect, it } from 'vitest'
import { expectGraphError } from '../abuse/expect-graph-error.ts'
import { createWrittenGraph, findEdges, NOW, putEdge, putNode } from './written-graph.ts'

const people = [putNode('1', 'user', { name: 'Ada' }), putNode('2', 'user', { name: 'Grace' })]
const things = [
  putNode('3', 'page', { name: 'Engines' }),
  putNode('4', 'photo'),
  putNode('5', 'group', { name: 'Club' }),
]

const findEdgesIn = (records: readonly unknown[]): readonly string[] =>
  findEdges(records)
    .map(({ source, name, target, time }) => `${source} ${name} ${target} ${time}`)
    .sort()

/** Creates an empty social graph. `edges` returns its edges as `source name target time`. */
const createEmptyGraph = () => {
  const graph = createWrittenGraph()
  return { ...graph, edges: () => findEdgesIn(graph.records()) }
}

/** Creates a social graph with two people, a page, a photo and a group. */
const createSocialGraph = async () => {
  const graph = createEmptyGraph()
  await graph.write([...people, ...things])
  return graph
}

describe('putEdge', () => {
  it('stores a plain edge only at its source', async () => {
    const { write, edges } = await createSocialGraph()
    await write([putEdge('1', 'photos', '4', 7)])
    expect(edges()).toEqual(['1 photos 4 7'])
  })

  it.each([
    ['milliseconds', 1349049600000],
    ['a Date', new Date(1349049600000)],
    ['ISO 8601', '2012-10-01T00:00:00Z'],
    ['undefined, which means now', undefined],
  ])('accepts a time as %s', async (_, time) => {
    const { write, edges } = await createSocialGraph()
    await write([putEdge('1', 'photos', '4', time)])
    expect(edges()).toEqual([`1 photos 4 ${NOW}`])
  })

  it('stores a symmetric edge on both sides with the same time', async () => {
    const { write, edges } = await createSocialGraph()
    await write([putEdge('1', 'friends', '2', 7)])
    expect(edges()).toEqual(['1 friends 2 7', '2 friends 1 7'])
    await write([putEdge('2', 'friends', '1', 8)])
    expect(edges()).toEqual(['1 friends 2 8', '2 friends 1 8'])
  })

  it('stores a symmetric edge of a node to itself once', async () => {
    const { write, edges } = await createSocialGraph()
    await write([putEdge('1', 'friends', '1', 7)])
    expect(edges()).toEqual(['1 friends 1 7'])
  })

  it('stores both sides of an inverse edge from either side', async () => {
    const { write, edges } = await createSocialGraph()
    await write([putEdge('1', 'groups', '5', 7), putEdge('3', 'likes', '2', 8)])
    expect(edges()).toEqual(['1 groups 5 7', '2 likes 3 8', '3 likes 2 8', '5 members 1 7'])
  })

  it('accepts nodes of its own batch', async () => {
    const { write, edges } = createEmptyGraph()
    await write([...people, putEdge('1', 'friends', '2', 7)])
    expect(edges()).toEqual(['1 friends 2 7', '2 friends 1 7'])
  })
})

describe('deleteEdge', () => {
  it('deletes both sides of a symmetric or inverse edge, from either side', async () => {
    const { write, edges } = await createSocialGraph()
    await write([putEdge('1', 'friends', '2', 7), putEdge('1', 'groups', '5', 7)])
    await write([
      { op: 'deleteEdge', edge: { source: '2', name: 'friends', target: '1' } },
      { op: 'deleteEdge', edge: { source: '5', name: 'members', target: '1' } },
    ])
    expect(edges()).toEqual([])
  })

  it.each([
    ['the edge', { source: '1', name: 'photos', target: '4' }],
    ['the source', { source: '404', name: 'photos', target: '4' }],
    ['the target', { source: '1', name: 'photos', target: '404' }],
  ])('does nothing if %s does not exist', async (_, edge) => {
    const { write, edges } = await createSocialGraph()
    await write([putEdge('1', 'friends', '2', 7), { op: 'deleteEdge', edge }])
    expect(edges()).toEqual(['1 friends 2 7', '2 friends 1 7'])
  })
})

describe('deleteNode', () => {
  it('deletes all edges from and to the node', async () => {
    const { write, edges } = await createSocialGraph()
    await write([
      putEdge('1', 'friends', '2', 7),
      putEdge('2', 'groups', '5', 7),
      putEdge('1', 'photos', '4', 7),
    ])
    await write([{ op: 'deleteNode', id: '2' }])
    expect(edges()).toEqual(['1 photos 4 7'])
  })
})

describe('an invalid edge', () => {
  it.each([
    {
      title: 'an unknown name',
      bad: [putEdge('1', 'freinds', '2')],
      issue: {
        path: 'edge.name',
        expected: 'an edge of the type user, such as friends',
        received: '"freinds"',
      },
    },
    {
      title: 'a name of another type',
      bad: [putEdge('4', 'photos', '4')],
      issue: {
        path: 'edge.name',
        expected: 'an edge of the type photo: comments, likes',
        received: '"photos"',
      },
    },
    {
      title: 'a missing source',
      bad: [putEdge('404', 'friends', '1')],
      issue: { path: 'edge.source', expected: 'the id of an existing node', received: '"404"' },
    },
    {
      title: 'a missing target',
      bad: [putEdge('1', 'friends', '404')],
      issue: { path: 'edge.target', expected: 'the id of an existing node', received: '"404"' },
    },
    {
      title: 'a target that the same batch deleted',
      bad: [{ op: 'deleteNode', id: '2' }, putEdge('1', 'friends', '2')],
      issue: { path: 'edge.target', expected: 'the id of an existing node', received: '"2"' },
    },
    {
      title: 'a target of another type',
      bad: [putEdge('1', 'likes', '4')],
      issue: { path: 'edge.target', expected: 'the id of a node of type page (not photo)', received: '"4"' },
    },
    {
      title: 'a deletion with a wrong target type',
      bad: [{ op: 'deleteEdge', edge: { source: '1', name: 'likes', target: '4' } }],
      issue: { path: 'edge.target', expected: 'the id of a node of type page (not photo)', received: '"4"' },
    },
    {
      title: 'a deletion of an unknown name',
      bad: [{ op: 'deleteEdge', edge: { source: '1', name: 'like', target: '3' } }],
      issue: { path: 'edge.name', expected: 'an edge of the type user, such as likes', received: '"like"' },
    },
    {
      title: 'an invalid time',
      bad: [putEdge('1', 'friends', '2', 'yesterday')],
      issue: {
        path: 'edge.time',
        expected: 'integer milliseconds, a Date or an ISO 8601 date',
        received: '"yesterday"',
      },
    },
    {
      title: 'a time with fractions of a millisecond',
      bad: [putEdge('1', 'friends', '2', 0.5)],
      issue: {
        path: 'edge.time',
        expected: 'integer milliseconds, a Date or an ISO 8601 date',
        received: '0.5',
      },
    },
    {
      title: 'a value for the time field of an edge',
      bad: [{ op: 'putEdge', edge: { source: '5', name: 'members', target: '1', data: { joined: 7 } } }],
      issue: {
        path: 'edge.data.joined',
        expected: 'left out, since it is the time of the edge',
        received: '7',
      },
    },
    {
      title: 'data for an edge without fields',
      bad: [{ op: 'putEdge', edge: { source: '1', name: 'photos', target: '4', data: { best: true } } }],
      issue: {
        path: 'edge.data.best',
        expected: 'a field of photos (there are none)',
        received: '"best"',
      },
    },
  ])('is rejected with its path: $title', async ({ bad, issue }) => {
    const { write, records } = await createSocialGraph()
    const before = records()
    const batch: readonly unknown[] = [putEdge('1', 'friends', '2', 7), ...bad]
    // @ts-expect-error the types of mutations reject it, but plain JavaScript can send it
    const error = await expectGraphError(write(batch))
    expect(error.toJSON().error.error_data).toEqual({
      reason: 'invalid_mutation',
      index: batch.length - 1,
      ...issue,
    })
    expect(records()).toEqual(before)
  })
})
