import { describe, expect, it } from 'vitest'
import { listedSchema } from '../../helpers/listed-schema.ts'
import { expectGraphError } from '../abuse/expect-graph-error.ts'
import { createWrittenGraph, findEdges, putNode } from './written-graph.ts'

type EdgeInput = {
  readonly source: string
  readonly name: string
  readonly target: string
  readonly time?: number
  readonly data?: { readonly [name: string]: unknown }
  readonly parameters?: { readonly [name: string]: unknown } | undefined
}

const put = (edge: EdgeInput) => ({ op: 'putEdge', edge: { time: 7, ...edge } }) as const
const remove = ({ source, name, target, parameters }: EdgeInput) =>
  ({ op: 'deleteEdge', edge: { source, name, target, parameters } }) as const

const nodes = [putNode('1', 'person'), putNode('2', 'person'), putNode('3', 'photo'), putNode('4', 'event')]

const PHOTO = { source: '1', name: 'photos', target: '3' }
const FRIEND = { source: '1', name: 'friends', target: '2' }
const EVENT = { source: '1', name: 'events', target: '4' }
const LIKE = { source: '1', name: 'likes', target: '3' }
const VISIT = { source: '1', name: 'visits', target: '4' }

/** Creates a graph with four nodes. `edges` returns its stored edges as `source name target`. */
const createListedGraph = async () => {
  const graph = createWrittenGraph(listedSchema)
  await graph.write(nodes)
  const edges = () =>
    findEdges(graph.records())
      .map(({ source, name, target }) => `${source} ${name} ${target}`)
      .sort()
  return { ...graph, edges }
}

describe('putEdge', () => {
  it.each([
    [PHOTO, undefined, ['1 photos 3']],
    [PHOTO, {}, ['1 photos 3']],
    [PHOTO, { type: undefined }, ['1 photos 3']],
    [PHOTO, { type: 'tagged' }, ['1 photos 3']],
    [PHOTO, { type: 'uploaded' }, ['1 photos_uploaded 3']],
    [FRIEND, undefined, ['1 friends 2', '2 friends 1']],
    [FRIEND, { close: true }, ['1 friends_close 2', '2 friends_close 1']],
    [{ ...FRIEND, target: '1' }, { close: true }, ['1 friends_close 1']],
    [EVENT, undefined, ['1 events_any 4', '4 people 1']],
    [EVENT, { role: 'host' }, ['1 events_host 4', '4 calm_host 1']],
    [EVENT, { role: 'host', loud: true }, ['1 events_host_loud 4', '4 loud_host 1']],
    [
      { source: '4', name: 'people', target: '1' },
      { loud: true },
      ['1 events_any_loud 4', '4 loud_people 1'],
    ],
    [VISIT, { long: false }, ['1 visits_short 4']],
    [LIKE, {}, ['1 likes 3']],
  ])('of %j with the parameters %j stores %j', async (edge, parameters, stored) => {
    const { write, edges } = await createListedGraph()
    await write([put({ ...edge, parameters })])
    expect(edges()).toEqual(stored)
  })

  it('keeps the same edge in several lists, each with its own time and data', async () => {
    const { write, records } = await createListedGraph()
    await write([
      put({ ...FRIEND, data: { note: 'school' } }),
      put({ ...FRIEND, time: 8, parameters: { close: true } }),
    ])
    expect(findEdges(records())).toEqual([
      { ...FRIEND, time: 7, data: { note: 'school' } },
      { ...FRIEND, name: 'friends_close', time: 8 },
      { source: '2', name: 'friends', target: '1', time: 7, data: { note: 'school' } },
      { source: '2', name: 'friends_close', target: '1', time: 8 },
    ])
  })

  it('evaluates its condition in the list that its parameters choose', async () => {
    const { write, edges } = await createListedGraph()
    const close = put({ ...FRIEND, parameters: { close: true }, data: { note: 'a' } })
    const absent = { ...close, when: { exists: false } }
    await write([put(FRIEND), absent])
    expect((await expectGraphError(write([absent]))).data).toMatchObject({ index: 0, path: 'when.exists' })
    await write([{ ...close, when: { fields: { note: 'a' } } }])
    const plain = { ...put(FRIEND), when: { fields: { note: 'a' } } }
    expect((await expectGraphError(write([plain]))).reason).toBe('conflict')
    expect(edges()).toHaveLength(4)
  })
})

describe('deleteEdge', () => {
  it('deletes an edge and its mirror only from the list that its parameters choose', async () => {
    const { write, edges } = await createListedGraph()
    const host = { ...EVENT, parameters: { role: 'host' } }
    await write([put(EVENT), put(host), put({ ...host, name: 'events' })])
    await write([remove({ source: '4', name: 'people', target: '1', parameters: { role: 'host' } })])
    expect(edges()).toEqual(['1 events_any 4', '4 people 1'])
    await write([remove(EVENT)])
    expect(edges()).toEqual([])
  })
})

describe('the id of a batch', () => {
  it('belongs to the parameters of the batch', async () => {
    const { write, edges } = await createListedGraph()
    const batch = [put({ ...PHOTO, parameters: { type: 'uploaded' } })]
    await write(batch, { id: 'a' })
    await write([remove({ ...PHOTO, parameters: { type: 'uploaded' } })])
    await write(batch, { id: 'a' })
    expect(edges()).toEqual([])
    const other = [put({ ...PHOTO, parameters: { type: 'tagged' } })]
    expect((await expectGraphError(write(other, { id: 'a' }))).reason).toBe('conflict')
  })
})

describe('a write or load rejects', () => {
  const left = 'left out, since it does not choose a stored list'
  const chooses = 'a parameter that chooses a stored list of'

  it.each([
    ['a wrong value', PHOTO, { type: 'upload' }, 'type', 'one of "tagged", "uploaded"', '"upload"'],
    ['null', PHOTO, { type: null }, 'type', 'one of "tagged", "uploaded"', 'null'],
    ['the text of a boolean', FRIEND, { close: 'true' }, 'close', 'true or false', '"true"'],
    ['an unknown parameter', PHOTO, { typ: 1 }, 'typ', `${chooses} photos, such as type`, '"typ"'],
    ['a parameter that only the filter reads', PHOTO, { size: 5 }, 'size', left, '5'],
    ['a missing required parameter', VISIT, {}, 'long', 'a value, since it is required', 'undefined'],
    ['a parameter of an edge with one list', LIKE, { size: 5 }, 'size', left, '5'],
    [
      'a name that objects inherit',
      LIKE,
      { toString: 1 },
      'toString',
      `${chooses} likes (there are none)`,
      '"toString"',
    ],
  ])('%s', async (_, edge, parameters, name, expected, received) => {
    const { write, load, edges } = await createListedGraph()
    const input = { ...edge, time: 7, parameters }
    const attempts = [() => write([put(input)]), () => write([remove(input)]), () => load([{ edge: input }])]
    for (const attempt of attempts) {
      const error = await expectGraphError(attempt())
      expect([error.reason, error.data]).toMatchObject([
        'invalid_mutation',
        { path: `edge.parameters.${name}`, expected, received },
      ])
    }
    expect(edges()).toEqual([])
  })

  it('parameters that are not an object', async () => {
    const { write } = await createListedGraph()
    const error = await expectGraphError(
      // @ts-expect-error the types reject it
      write([put({ ...PHOTO, parameters: 'uploaded' })]),
    )
    expect(error.data).toMatchObject({
      path: 'edge.parameters',
      expected: 'an object that maps names of parameters to values',
    })
  })
})

describe('the name of a stored list', () => {
  it('is rejected by write if it is not the name of an edge', async () => {
    const { write, edges } = await createListedGraph()
    const uploaded = { ...PHOTO, name: 'photos_uploaded' }
    for (const mutation of [put(uploaded), remove(uploaded), put({ ...uploaded, parameters: {} })])
      expect((await expectGraphError(write([mutation]))).data).toMatchObject({
        path: 'edge.name',
        expected: '"photos" with "parameters", since it is the edge of this stored list',
        received: '"photos_uploaded"',
      })
    expect(edges()).toEqual([])
  })

  it('is loaded as the list of its edge, with its mirror', async () => {
    const { load, edges } = await createListedGraph()
    const counts = await load([
      { edge: { ...PHOTO, name: 'photos_uploaded', time: 1 } },
      { edge: { source: '4', name: 'loud_host', target: '1', time: 2, data: { seat: 5 } } },
      { edge: { ...VISIT, time: 3 } },
    ])
    expect(counts).toEqual({ nodes: 0, edges: 3, skipped: 0 })
    expect(edges()).toEqual(['1 events_host_loud 4', '1 photos_uploaded 3', '1 visits 4', '4 loud_host 1'])
  })

  it('is loaded with the targets and fields of its edge', async () => {
    const { load } = await createListedGraph()
    const loadEdge = async (edge: EdgeInput) =>
      (await expectGraphError(load([{ edge: { time: 1, ...edge } }]))).data
    expect(await loadEdge({ ...PHOTO, name: 'photos_uploaded', target: '2' })).toMatchObject({
      path: 'edge.target',
      expected: 'the id of a node of type photo (not person)',
    })
    expect(await loadEdge({ ...FRIEND, name: 'friends_close', data: { note: 5 } })).toMatchObject({
      path: 'edge.data.note',
    })
    expect(await loadEdge({ ...FRIEND, name: 'friends_near' })).toMatchObject({
      path: 'edge.name',
      expected: 'an edge of the type person: photos, friends, events, visits, likes',
    })
  })

  it('is rejected by load together with parameters', async () => {
    const { load } = await createListedGraph()
    const edge = { ...PHOTO, name: 'photos_uploaded', time: 1, parameters: { type: 'uploaded' } }
    expect((await expectGraphError(load([{ edge }]))).data).toMatchObject({
      path: 'edge.parameters',
      expected: 'left out, since "name" is the name of a stored list',
    })
  })

  it('chooses the list of the default values if it is the name of the edge', async () => {
    const { load, edges } = await createListedGraph()
    const uploaded = { ...PHOTO, parameters: { type: 'uploaded' } }
    await load([
      { edge: { ...PHOTO, time: 1 } },
      { edge: { ...EVENT, time: 1 } },
      { edge: { ...uploaded, time: 1 } },
    ])
    expect(edges()).toEqual(['1 events_any 4', '1 photos 3', '1 photos_uploaded 3', '4 people 1'])
  })
})
