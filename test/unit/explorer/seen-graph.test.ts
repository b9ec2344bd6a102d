import { socialSchema } from 'kithgraph'
import { describe, expect, it } from 'vitest'
import type { JsonValue } from '../../../src/base/json.ts'
import { extractGraph } from '../../../src/explorer/page/response/extract-graph.ts'
import {
  addToGraph,
  countByType,
  EMPTY_GRAPH,
  findIdsWithoutType,
  MAX_EDGES,
  MAX_NODES,
} from '../../../src/explorer/page/response/seen-graph.ts'
import { toSchemaView } from '../../../src/explorer/schema-view.ts'
import { parseFields } from '../../../src/fields/parse.ts'

const schema = toSchemaView(socialSchema, 'v1.0')
const user = { types: ['user'], edge: undefined }
const findSeen = (result: JsonValue, fields = '', pageOf?: { id: string; edge: string; type: string }) =>
  extractGraph(result, {
    schema,
    root: user,
    expression: parseFields(fields, { length: 1000, depth: 9, fields: 99 }),
    requestedEdge: pageOf,
  })
const createSeenGraph = (result: JsonValue, fields = '') => addToGraph(EMPTY_GRAPH, findSeen(result, fields))

const ADA = { id: '1', name: 'Ada' }
const GRACE = { id: '2', name: 'Grace' }

describe('the graph of all nodes seen in the Explorer', () => {
  it('contains every object with an id in a response, with its type from the schema', () => {
    const { nodes, edges } = createSeenGraph({
      ...ADA,
      posts: { data: [{ id: '5', message: 'Hello', from: ADA }] },
    })
    expect([...nodes.values()]).toEqual([
      { id: '1', type: 'user', label: 'Ada' },
      { id: '5', type: 'post', label: 'Hello' },
    ])
    expect([...edges.values()]).toEqual([
      { source: '1', name: 'posts', target: '5' },
      { source: '5', name: 'from', target: '1' },
    ])
  })

  it('names edges as the schema does if the response has aliases', () => {
    const { edges } = createSeenGraph({ ...ADA, pals: { data: [GRACE] } }, 'friends.as(pals)')
    expect([...edges.values()]).toEqual([{ source: '1', name: 'friends', target: '2' }])
  })

  it('contains the node whose edge was requested as a page', () => {
    const { nodes, edges } = addToGraph(
      EMPTY_GRAPH,
      findSeen({ data: [GRACE] }, '', { id: '1', edge: 'friends', type: 'user' }),
    )
    expect([...nodes.keys()]).toEqual(['1', '2'])
    expect([...edges.values()]).toEqual([{ source: '1', name: 'friends', target: '2' }])
  })

  it('keeps the more specific label of a node that is seen again', () => {
    expect(addToGraph(createSeenGraph(ADA), findSeen({ id: '1' })).nodes.get('1')?.label).toBe('Ada')
    expect(addToGraph(createSeenGraph({ id: '1' }), findSeen(ADA)).nodes.get('1')?.label).toBe('Ada')
    expect(createSeenGraph({ id: '1' }).nodes.get('1')?.label).toBe('user 1')
  })

  it('has no type for a node of several possible types until metadata names one', () => {
    const post = { id: '5', from: ADA }
    const several = createSeenGraph({ id: '2', posts: { data: [post] } })
    expect(findIdsWithoutType(several)).toEqual(['1'])
    expect(countByType(several)).toEqual(
      new Map([
        ['user', 1],
        ['post', 1],
        [undefined, 1],
      ]),
    )
    const described = addToGraph(several, findSeen({ ...ADA, metadata: { type: 'user' } }))
    expect(findIdsWithoutType(described)).toEqual([])
  })

  it('contains only objects with a valid node id', () => {
    const { nodes } = createSeenGraph({
      ...ADA,
      picture: { data: { url: 'https://x.example/1' } },
      about: { id: 'x' },
    })
    expect([...nodes.keys()]).toEqual(['1'])
  })

  it('has a maximum number of nodes and counts the omitted ones', () => {
    const data = Array.from({ length: MAX_NODES + 5 }, (_, index) => ({ id: `${index + 1}` }))
    const { nodes, edges, omittedNodes } = addToGraph(
      createSeenGraph({ id: '1' }),
      findSeen({ data }, '', { id: '1', edge: 'friends', type: 'user' }),
    )
    expect([nodes.size, omittedNodes.size]).toEqual([MAX_NODES, 5])
    expect(edges.size).toBe(MAX_NODES)
  })

  it('has a maximum number of edges and shows whether some are omitted', () => {
    const ids = Array.from({ length: 100 }, (_, index) => ({ id: `${index + 1}` }))
    const full = createSeenGraph({
      ...ADA,
      friends: { data: ids.map(one => ({ ...one, friends: { data: ids } })) },
    })
    expect([full.edges.size, full.hasOmittedEdges]).toEqual([MAX_EDGES, true])
    expect(createSeenGraph({ ...ADA, friends: { data: ids } }).hasOmittedEdges).toBe(false)
  })
})
