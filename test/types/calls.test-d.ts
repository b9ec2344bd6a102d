import type { DebugMessage, Token } from 'kithgraph'
import { describe, expectTypeOf, it } from 'vitest'
import type { PublicId } from '../../src/base/ids.ts'
import type { AnyGraph, Graph } from '../../src/graph-interface.ts'
import type { ById, DebugOutput } from '../../src/interface/results.ts'
import type { Explanation } from '../../src/plan/explain.ts'
import type { Page, PageWithSummary, UntypedNode } from '../../src/schema/inference/result.ts'
import type { Simplify } from '../../src/schema/inference/simplify.ts'
import type { Metadata } from '../../src/schema/metadata.ts'
import type { Schema } from '../../src/schema/schema.ts'
import type { socialSchema } from '../../src/schema/social/social-schema.ts'

declare const graph: Graph<typeof socialSchema>
declare const token: Token

type Named = { id: PublicId; name: string }

describe('the type of getMe', () => {
  it('has the fields of all viewer types', () => {
    expectTypeOf(graph.getMe(token)).resolves.toEqualTypeOf<Named>()
    expectTypeOf(graph.getMe(token, { fields: 'name,gender' })).resolves.toEqualTypeOf<{
      id: PublicId
      name: string
      gender?: string
    }>()
  })

  it('accepts undefined for every option', () => {
    const nothing = {
      fields: undefined,
      metadata: undefined,
      version: undefined,
      signal: undefined,
      debug: undefined,
      partial: undefined,
      proof: undefined,
    }
    expectTypeOf(graph.getMe(token, nothing)).resolves.toEqualTypeOf<Named>()
    expectTypeOf(graph.getMe(token, undefined)).resolves.toEqualTypeOf<Named>()
  })

  it('is the same if the method is called without the graph', () => {
    const { getMe } = graph
    expectTypeOf(getMe(token, { fields: 'name' })).resolves.toEqualTypeOf<Named>()
  })
})

describe('the type of getNode', () => {
  it('has the fields of the type in the option "type", and is untyped without it', () => {
    expectTypeOf(graph.getNode(token, { id: '4', type: 'group' })).resolves.toEqualTypeOf<Named>()
    expectTypeOf(graph.getNode(token, { id: '4' })).resolves.toEqualTypeOf<UntypedNode>()
    expectTypeOf(graph.getNode(token, { id: '4', fields: 'anything' })).resolves.toEqualTypeOf<UntypedNode>()
  })

  it('has the fields of the viewer types if the id is "me", or of the type in the option "type"', () => {
    expectTypeOf(graph.getNode(token, { id: 'me' })).resolves.toEqualTypeOf<Named>()
    expectTypeOf(
      graph.getNode(token, { id: 'me', type: 'page', fields: 'name,category' }),
    ).resolves.toEqualTypeOf<{ id: PublicId; name: string; category?: string }>()
  })

  it('has the fields of all types in the option "type" if it is a union', () => {
    const type = {} as 'photo' | 'comment'
    expectTypeOf(
      graph.getNode(token, { id: '4', type, fields: 'name,comments{id}' }),
    ).resolves.toEqualTypeOf<{
      id: PublicId
      name?: string
      comments: Page<{ id: PublicId }>
    }>()
  })

  it('is untyped if the option "type" may be undefined', () => {
    const type = {} as 'photo' | undefined
    expectTypeOf(graph.getNode(token, { id: '4', type })).resolves.toEqualTypeOf<UntypedNode>()
  })
})

describe('the type of metadata in a result', () => {
  it('is required if the option is true', () => {
    const promise = graph.getNode(token, { id: '4', type: 'user', metadata: true })
    expectTypeOf(promise).resolves.toEqualTypeOf<{ id: PublicId; name: string; metadata: Metadata }>()
    const loose = graph.getNode(token, { id: '4', metadata: true })
    expectTypeOf(loose).resolves.toHaveProperty('metadata').toEqualTypeOf<Metadata>()
  })

  it('is optional if the option may be true', () => {
    const metadata = Boolean(1)
    const promise = graph.getNode(token, { id: '4', type: 'user', metadata })
    expectTypeOf(promise).resolves.toEqualTypeOf<{ id: PublicId; name: string; metadata?: Metadata }>()
  })
})

describe('the type of debug messages', () => {
  it('is optional in a result with debug or partial', () => {
    expectTypeOf<DebugOutput>().toEqualTypeOf<{ __debug__?: { messages: DebugMessage[] } }>()
    expectTypeOf<DebugMessage>().toEqualTypeOf<{ message: string; type: 'warning' | 'info'; link?: string }>()
    expectTypeOf(graph.getMe(token, { debug: 'all' })).resolves.toEqualTypeOf<Simplify<Named & DebugOutput>>()
    expectTypeOf(graph.getMe(token, { partial: true })).resolves.toEqualTypeOf<
      Simplify<Named & DebugOutput>
    >()
    expectTypeOf(graph.getMe(token, { partial: false })).resolves.toEqualTypeOf<Named>()
  })

  it('is also part of pages and of results with ids as keys', () => {
    const page = graph.getEdge(token, { id: '4', type: 'photo', edge: 'likes', debug: 'all' })
    expectTypeOf(page).resolves.toEqualTypeOf<Simplify<Page<Named> & DebugOutput>>()
    const nodes = graph.getNodes(token, { ids: ['me'], partial: true })
    expectTypeOf(nodes).resolves.toEqualTypeOf<ById<Named> & DebugOutput>()
  })
})

describe('the type of getNodes', () => {
  it('has ids as keys', () => {
    expectTypeOf(graph.getNodes(token, { ids: ['4', '5'] })).resolves.toEqualTypeOf<{
      [id: string]: UntypedNode
    }>()
    expectTypeOf(graph.getNodes(token, { ids: ['me'] })).resolves.toEqualTypeOf<{ [id: string]: Named }>()
  })
})

describe('the type of getEdge', () => {
  it('is a page of the edge of the given type', () => {
    const promise = graph.getEdge(token, { id: '4', type: 'user', edge: 'likes', fields: 'category' })
    expectTypeOf(promise).resolves.toEqualTypeOf<Page<{ id: PublicId; category?: string }>>()
  })

  it('joins the edges of that name of all types if the option "type" is missing', () => {
    const promise = graph.getEdge(token, { id: '4', edge: 'likes', fields: 'name,category,email' })
    expectTypeOf(promise).resolves.toEqualTypeOf<
      Page<{ id: PublicId; name: string; category?: string; email?: string }>
    >()
  })

  it('joins the edges of the viewer types if the id is "me"', () => {
    const promise = graph.getEdge(token, {
      id: 'me',
      edge: 'photos',
      limit: 2,
      since: new Date(0),
      order: 'chronological',
    })
    expectTypeOf(promise).resolves.toEqualTypeOf<Page<{ id: PublicId; created_time?: string }>>()
  })

  it('has an optional summary if one is requested', () => {
    const promise = graph.getEdge(token, { id: '4', type: 'photo', edge: 'likes', summary: true })
    expectTypeOf(promise).resolves.toEqualTypeOf<PageWithSummary<Named>>()
    const none = graph.getEdge(token, { id: '4', type: 'photo', edge: 'likes', summary: false })
    expectTypeOf(none).resolves.toEqualTypeOf<Page<Named>>()
  })
})

describe('the type of getEdges', () => {
  it('has ids as keys', () => {
    const promise = graph.getEdges(token, {
      ids: ['4', '5'],
      type: 'group',
      edge: 'members',
      fields: 'joined',
    })
    expectTypeOf(promise).resolves.toEqualTypeOf<{ [id: string]: Page<{ id: PublicId; joined: string }> }>()
  })
})

describe('the type of hasEdge', () => {
  it('is boolean', () => {
    expectTypeOf(
      graph.hasEdge(token, { id: 'me', edge: 'friends', target: '4' }),
    ).resolves.toEqualTypeOf<boolean>()
  })
})

describe('the type of iterateEdge', () => {
  it('is an AsyncIterable of entries', () => {
    const entries = graph.iterateEdge(token, {
      id: '4',
      type: 'group',
      edge: 'members',
      fields: 'joined,name',
      limit: 100,
    })
    expectTypeOf(entries).toEqualTypeOf<AsyncIterable<{ id: PublicId; name: string; joined: string }>>()
  })
})

describe('the type of explain', () => {
  it('accepts a type, or one of its edges', () => {
    expectTypeOf(graph.explain({ type: 'user', fields: 'name,birthday' })).toEqualTypeOf<Explanation>()
    expectTypeOf(
      graph.explain({ type: 'group', edge: 'members', fields: 'joined' }),
    ).toEqualTypeOf<Explanation>()
  })
})

describe('the type of a graph with an unknown schema', () => {
  it('accepts any names, and has untyped results', () => {
    const any = {} as Graph<Schema>
    expectTypeOf(any.getMe(token, { fields: 'a,b{c}' })).resolves.toEqualTypeOf<UntypedNode>()
    expectTypeOf(
      any.getNode(token, { id: '4', type: 'thing', fields: 'a' }),
    ).resolves.toEqualTypeOf<UntypedNode>()
    expectTypeOf(
      any.getEdge(token, { id: '4', type: 'thing', edge: 'a', fields: 'b' }),
    ).resolves.toEqualTypeOf<Page<UntypedNode>>()
  })

  it('accepts every graph if it is AnyGraph', () => {
    expectTypeOf(graph).toExtend<AnyGraph>()
    expectTypeOf<Graph>().toExtend<AnyGraph>()
  })
})
