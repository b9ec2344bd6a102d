import {
  collection,
  createGraph,
  defineSchema,
  type EdgeField,
  type EdgeType,
  edge,
  field,
  node,
} from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { findListFlags } from '../../../src/schema/list-flags.ts'

const number = field.int({ required: true })

/** Defines a schema whose edge `likes` has an order by `rank`, and whose mirror has a field `rank`. */
const defineMirrored = (rank: EdgeField) =>
  defineSchema({
    person: node({
      edges: {
        likes: edge('person', {
          inverse: 'likers',
          fields: { rank: number },
          orders: { top: { by: 'rank' } },
        }),
        likers: edge('person', { inverse: 'likes', fields: { rank } }),
      },
    }),
  })

describe('a field that orders an edge', () => {
  it.each([
    ['an optional field', field.int()],
    ['a text', field.string({ required: true })],
    ['a number of seconds', field.unixtime({ required: true })],
  ])(
    'cannot be %s of the mirror, since the order would lack the edges that are written there',
    (_name, rank) => {
      expect(() => defineMirrored(rank)).toThrow(
        'person.likes: "orders.top.by" must be a field that person.likers declares in the same way, or not at all; received "rank"',
      )
    },
  )

  it.each([
    ['the same field', number],
    ['the same field with a scope', field.int({ required: true, scope: 'ranks' })],
  ])('may be %s of the mirror', (_name, rank) => {
    expect(() => defineMirrored(rank)).not.toThrow()
  })
})

describe('the type of collections', () => {
  const defineWith = (
    members: { readonly edges?: { readonly [name: string]: EdgeType } },
    options: object = {},
  ) =>
    defineSchema(
      { person: node({ fields: { age: number }, ...members }) },
      { collections: { people: collection('person') }, ...options },
    )

  it.each([
    ['a target', () => defineWith({ edges: { up: edge('root') } }), 'person.up: each target'],
    ['a viewer', () => defineWith({}, { viewers: ['root'] }), 'viewers: each viewer'],
    [
      'a type of a collection',
      () => defineWith({}, { collections: { people: collection('root') } }),
      'root.people: each target',
    ],
  ])('cannot be %s', (_name, define, location) => {
    expect(define).toThrow(`${location} must be a type of the schema; received "root"`)
  })

  it('has the only edges that are collections', () => {
    expect(() => defineWith({ edges: { others: collection('person') } })).toThrow(
      'person.others: an edge of a type must be an edge that edge() returns; received a collection',
    )
  })

  it('needs no store read in an explanation', () => {
    const graph = createGraph(createMemoryStore(), { schema: defineWith({}) })
    expect(graph.explain({ type: 'root', fields: 'id' }).reads).toBe(0)
    expect(graph.explain({ type: 'root', fields: 'people' }).reads).toBe(1)
    expect(graph.explain({ type: 'root', edge: 'people' }).reads).toBe(1)
  })
})

it('the completion of a collection depends on the unit of its field, since the entries do', () => {
  const flagsOf = (at: EdgeField) =>
    findListFlags(
      defineSchema(
        { event: node({ fields: { at } }) },
        { collections: { events: collection('event', { by: 'at' }) } },
      ),
    ).get('root.events')?.flags
  const name = 'root.events of event'
  expect(flagsOf(number)).toEqual([{ name, value: 'at' }])
  expect(flagsOf(field.unixtime({ required: true }))).toEqual([{ name, value: 'at in seconds' }])
})
