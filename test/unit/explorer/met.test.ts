import { socialSchema } from 'kithgraph'
import { describe, expect, it } from 'vitest'
import type { Json } from '../../../src/explorer/page/answer/json.ts'
import {
  countByType,
  MOST_EDGES,
  MOST_NODES,
  meet,
  nodesWithoutType,
  nothingMet,
} from '../../../src/explorer/page/answer/met.ts'
import { readAnswer } from '../../../src/explorer/page/answer/reading.ts'
import { schemaViewOf } from '../../../src/explorer/schema-view.ts'
import { parseFields } from '../../../src/fields/parse.ts'

const schema = schemaViewOf(socialSchema, 'v1.0')
const user = { types: ['user'], edge: undefined }
const found = (answer: Json, fields = '', of?: { id: string; edge: string; type: string }) =>
  readAnswer(answer, {
    schema,
    root: user,
    expression: parseFields(fields, { length: 1000, depth: 9, items: 99 }),
    of,
  })
const met = (answer: Json, fields = '') => meet(nothingMet, found(answer, fields))

const ADA = { id: '1', name: 'Ada' }
const GRACE = { id: '2', name: 'Grace' }

describe('the graph met so far', () => {
  it('has every object with an id, by the type that the schema says', () => {
    const { nodes, edges } = met({ ...ADA, posts: { data: [{ id: '5', message: 'Hello', from: ADA }] } })
    expect([...nodes.values()]).toEqual([
      { id: '1', type: 'user', label: 'Ada' },
      { id: '5', type: 'post', label: 'Hello' },
    ])
    expect([...edges.values()]).toEqual([
      { source: '1', name: 'posts', target: '5' },
      { source: '5', name: 'from', target: '1' },
    ])
  })

  it('knows edges by their own names where the answer has others', () => {
    const { edges } = met({ ...ADA, pals: { data: [GRACE] } }, 'friends.as(pals)')
    expect([...edges.values()]).toEqual([{ source: '1', name: 'friends', target: '2' }])
  })

  it('has the node that a page is of', () => {
    const { nodes, edges } = meet(
      nothingMet,
      found({ data: [GRACE] }, '', { id: '1', edge: 'friends', type: 'user' }),
    )
    expect([...nodes.keys()]).toEqual(['1', '2'])
    expect([...edges.values()]).toEqual([{ source: '1', name: 'friends', target: '2' }])
  })

  it('keeps the better name of what is met again', () => {
    expect(meet(met(ADA), found({ id: '1' })).nodes.get('1')?.label).toBe('Ada')
    expect(meet(met({ id: '1' }), found(ADA)).nodes.get('1')?.label).toBe('Ada')
    expect(met({ id: '1' }).nodes.get('1')?.label).toBe('user 1')
  })

  it('does not know a type where several may be, until one is told', () => {
    const post = { id: '5', from: ADA }
    const several = met({ id: '2', posts: { data: [post] } })
    expect(nodesWithoutType(several)).toEqual(['1'])
    expect(countByType(several)).toEqual(
      new Map([
        ['user', 1],
        ['post', 1],
        [undefined, 1],
      ]),
    )
    const told = meet(several, found({ ...ADA, metadata: { type: 'user' } }))
    expect(nodesWithoutType(told)).toEqual([])
  })

  it('is of nodes alone: pictures and lists have no ids, and what has one of another form is no node', () => {
    const { nodes } = met({ ...ADA, picture: { data: { url: 'https://x.example/1' } }, about: { id: 'x' } })
    expect([...nodes.keys()]).toEqual(['1'])
  })

  it('has room for so many, and counts those that found none', () => {
    const data = Array.from({ length: MOST_NODES + 5 }, (_, place) => ({ id: `${place + 1}` }))
    const { nodes, edges, leftOut } = meet(
      met({ id: '1' }),
      found({ data }, '', { id: '1', edge: 'friends', type: 'user' }),
    )
    expect([nodes.size, leftOut.size]).toEqual([MOST_NODES, 5])
    expect(edges.size).toBe(MOST_NODES)
  })
  it('has room for so many edges, and says where some found none', () => {
    const ids = Array.from({ length: 100 }, (_, place) => ({ id: `${place + 1}` }))
    const full = met({ ...ADA, friends: { data: ids.map(one => ({ ...one, friends: { data: ids } })) } })
    expect([full.edges.size, full.lacksEdges]).toEqual([MOST_EDGES, true])
    expect(met({ ...ADA, friends: { data: ids } }).lacksEdges).toBe(false)
  })
})
