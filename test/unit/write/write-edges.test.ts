import { describe, expect, it } from 'vitest'
import { faultOf } from '../abuse/fault-of.ts'
import { connect, createWrittenGraph, edgeRecords, NOW, put } from './written-graph.ts'

const people = [put('1', 'user', { name: 'Ada' }), put('2', 'user', { name: 'Grace' })]
const things = [put('3', 'page', { name: 'Engines' }), put('4', 'photo'), put('5', 'group', { name: 'Club' })]

const edgesIn = (records: readonly unknown[]): readonly string[] =>
  edgeRecords(records)
    .map(({ source, name, target, time }) => `${source} ${name} ${target} ${time}`)
    .sort()

/** An empty social graph, and its edges as `source name target time`. */
const createEmptyGraph = () => {
  const graph = createWrittenGraph()
  return { ...graph, edges: () => edgesIn(graph.records()) }
}

/** The same with two people, a page, a photo and a group in it. */
const createSocialGraph = async () => {
  const graph = createEmptyGraph()
  await graph.write([...people, ...things])
  return graph
}

describe('putEdge', () => {
  it('keeps a plain edge from its source alone', async () => {
    const { write, edges } = await createSocialGraph()
    await write([connect('1', 'photos', '4', 7)])
    expect(edges()).toEqual(['1 photos 4 7'])
  })

  it.each([
    ['milliseconds', 1349049600000],
    ['a Date', new Date(1349049600000)],
    ['ISO 8601', '2012-10-01T00:00:00Z'],
    ['nothing, for now', undefined],
  ])('takes its time as %s', async (_, time) => {
    const { write, edges } = await createSocialGraph()
    await write([connect('1', 'photos', '4', time)])
    expect(edges()).toEqual([`1 photos 4 ${NOW}`])
  })

  it('keeps a symmetric edge from both sides, at the same time', async () => {
    const { write, edges } = await createSocialGraph()
    await write([connect('1', 'friends', '2', 7)])
    expect(edges()).toEqual(['1 friends 2 7', '2 friends 1 7'])
    await write([connect('2', 'friends', '1', 8)])
    expect(edges()).toEqual(['1 friends 2 8', '2 friends 1 8'])
  })

  it('writes a symmetric edge to itself once', async () => {
    const { write, edges } = await createSocialGraph()
    await write([connect('1', 'friends', '1', 7)])
    expect(edges()).toEqual(['1 friends 1 7'])
  })

  it('keeps an inverse from either side', async () => {
    const { write, edges } = await createSocialGraph()
    await write([connect('1', 'groups', '5', 7), connect('3', 'likes', '2', 8)])
    expect(edges()).toEqual(['1 groups 5 7', '2 likes 3 8', '3 likes 2 8', '5 members 1 7'])
  })

  it('knows the nodes of its own batch', async () => {
    const { write, edges } = createEmptyGraph()
    await write([...people, connect('1', 'friends', '2', 7)])
    expect(edges()).toEqual(['1 friends 2 7', '2 friends 1 7'])
  })
})

describe('deleteEdge', () => {
  it('takes the mirror along, whichever side it is asked of', async () => {
    const { write, edges } = await createSocialGraph()
    await write([connect('1', 'friends', '2', 7), connect('1', 'groups', '5', 7)])
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
  ])('does nothing where %s is not there', async (_, edge) => {
    const { write, edges } = await createSocialGraph()
    await write([connect('1', 'friends', '2', 7), { op: 'deleteEdge', edge }])
    expect(edges()).toEqual(['1 friends 2 7', '2 friends 1 7'])
  })
})

describe('deleteNode', () => {
  it('takes the edges and their mirrors along', async () => {
    const { write, edges } = await createSocialGraph()
    await write([
      connect('1', 'friends', '2', 7),
      connect('2', 'groups', '5', 7),
      connect('1', 'photos', '4', 7),
    ])
    await write([{ op: 'deleteNode', id: '2' }])
    expect(edges()).toEqual(['1 photos 4 7'])
  })
})

describe('an edge that does not fit', () => {
  it.each([
    {
      title: 'an unknown name',
      bad: [connect('1', 'freinds', '2')],
      fault: { path: 'edge.name', expected: 'an edge of a user such as friends', came: '"freinds"' },
    },
    {
      title: 'a name of another type',
      bad: [connect('4', 'photos', '4')],
      fault: { path: 'edge.name', expected: 'an edge of a photo: comments, likes', came: '"photos"' },
    },
    {
      title: 'a source that is not there',
      bad: [connect('404', 'friends', '1')],
      fault: { path: 'edge.source', expected: 'the id of a node that exists', came: '"404"' },
    },
    {
      title: 'a target that is not there',
      bad: [connect('1', 'friends', '404')],
      fault: { path: 'edge.target', expected: 'the id of a node that exists', came: '"404"' },
    },
    {
      title: 'a target that the same batch deleted',
      bad: [{ op: 'deleteNode', id: '2' }, connect('1', 'friends', '2')],
      fault: { path: 'edge.target', expected: 'the id of a node that exists', came: '"2"' },
    },
    {
      title: 'a target of another type',
      bad: [connect('1', 'likes', '4')],
      fault: { path: 'edge.target', expected: 'the id of a page, not of a photo', came: '"4"' },
    },
    {
      title: 'a deletion with a target of another type, whose mirror would be an edge of its own',
      bad: [{ op: 'deleteEdge', edge: { source: '1', name: 'likes', target: '4' } }],
      fault: { path: 'edge.target', expected: 'the id of a page, not of a photo', came: '"4"' },
    },
    {
      title: 'a deletion of an unknown name',
      bad: [{ op: 'deleteEdge', edge: { source: '1', name: 'like', target: '3' } }],
      fault: { path: 'edge.name', expected: 'an edge of a user such as likes', came: '"like"' },
    },
    {
      title: 'a time that is none',
      bad: [connect('1', 'friends', '2', 'yesterday')],
      fault: {
        path: 'edge.time',
        expected: 'integer milliseconds, a Date or an ISO 8601 date',
        came: '"yesterday"',
      },
    },
    {
      title: 'a time with fractions of a millisecond',
      bad: [connect('1', 'friends', '2', 0.5)],
      fault: {
        path: 'edge.time',
        expected: 'integer milliseconds, a Date or an ISO 8601 date',
        came: '0.5',
      },
    },
    {
      title: 'a mirror time, which is the time of the edge',
      bad: [{ op: 'putEdge', edge: { source: '5', name: 'members', target: '1', data: { joined: 7 } } }],
      fault: {
        path: 'edge.data.joined',
        expected: 'left out, since it is the time of the edge',
        came: '7',
      },
    },
    {
      title: 'data where the edge has none',
      bad: [{ op: 'putEdge', edge: { source: '1', name: 'photos', target: '4', data: { best: true } } }],
      fault: {
        path: 'edge.data.best',
        expected: 'a field of photos, and there is none',
        came: '"best"',
      },
    },
  ])('is refused with its place: $title', async ({ bad, fault }) => {
    const { write, records } = await createSocialGraph()
    const before = records()
    const batch: readonly unknown[] = [connect('1', 'friends', '2', 7), ...bad]
    // @ts-expect-error what the types of mutations rule out comes from plain JavaScript all the same
    const error = await faultOf(write(batch))
    expect(error.data).toEqual({ reason: 'invalid_mutation', index: batch.length - 1, ...fault })
    expect(records()).toEqual(before)
  })
})
