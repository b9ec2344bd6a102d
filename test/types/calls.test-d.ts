import type { Message, Token } from 'kithgraph'
import { describe, expectTypeOf, it } from 'vitest'
import type { Graph, UntypedGraph } from '../../src/graph-interface.ts'
import type { ById, Remarked } from '../../src/interface/answers.ts'
import type { Explanation } from '../../src/plan/explain.ts'
import type { CountedPage, LooseNode, Page } from '../../src/schema/inference/answer.ts'
import type { Merged } from '../../src/schema/inference/merged.ts'
import type { Metadata } from '../../src/schema/metadata.ts'
import type { Schema } from '../../src/schema/schema.ts'
import type { socialSchema } from '../../src/schema/social/social-schema.ts'

declare const graph: Graph<typeof socialSchema>
declare const token: Token

type Named = { id: string; name: string }

describe('getMe', () => {
  it('is of any viewer type', () => {
    expectTypeOf(graph.getMe(token)).resolves.toEqualTypeOf<Named>()
    expectTypeOf(graph.getMe(token, { fields: 'name,gender' })).resolves.toEqualTypeOf<{
      id: string
      name: string
      gender?: string
    }>()
  })

  it('takes every option as undefined', () => {
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

  it('is free of `this`', () => {
    const { getMe } = graph
    expectTypeOf(getMe(token, { fields: 'name' })).resolves.toEqualTypeOf<Named>()
  })
})

describe('getNode', () => {
  it('is of its type, or loose without one', () => {
    expectTypeOf(graph.getNode(token, { id: '4', type: 'group' })).resolves.toEqualTypeOf<Named>()
    expectTypeOf(graph.getNode(token, { id: '4' })).resolves.toEqualTypeOf<LooseNode>()
    expectTypeOf(graph.getNode(token, { id: '4', fields: 'anything' })).resolves.toEqualTypeOf<LooseNode>()
  })

  it('is the viewer where the id is me, of the type that is given', () => {
    expectTypeOf(graph.getNode(token, { id: 'me' })).resolves.toEqualTypeOf<Named>()
    expectTypeOf(
      graph.getNode(token, { id: 'me', type: 'page', fields: 'name,category' }),
    ).resolves.toEqualTypeOf<{ id: string; name: string; category?: string }>()
  })

  it('is one of several types where the type is one of several', () => {
    const type = {} as 'photo' | 'comment'
    expectTypeOf(
      graph.getNode(token, { id: '4', type, fields: 'name,comments{id}' }),
    ).resolves.toEqualTypeOf<{
      id: string
      name?: string
      comments: Page<{ id: string }>
    }>()
  })

  it('is loose where there may be no type', () => {
    const type = {} as 'photo' | undefined
    expectTypeOf(graph.getNode(token, { id: '4', type })).resolves.toEqualTypeOf<LooseNode>()
  })
})

describe('metadata', () => {
  it('is there where it is asked for', () => {
    const asked = graph.getNode(token, { id: '4', type: 'user', metadata: true })
    expectTypeOf(asked).resolves.toEqualTypeOf<{ id: string; name: string; metadata: Metadata }>()
    const loose = graph.getNode(token, { id: '4', metadata: true })
    expectTypeOf(loose).resolves.toHaveProperty('metadata').toEqualTypeOf<Metadata>()
  })

  it('may be there where it may be asked for', () => {
    const metadata = Boolean(1)
    const asked = graph.getNode(token, { id: '4', type: 'user', metadata })
    expectTypeOf(asked).resolves.toEqualTypeOf<{ id: string; name: string; metadata?: Metadata }>()
  })
})

describe('remarks', () => {
  it('may be there where debug or partial asks for them', () => {
    expectTypeOf<Remarked>().toEqualTypeOf<{ __debug__?: { messages: Message[] } }>()
    expectTypeOf<Message>().toEqualTypeOf<{ message: string; type: 'warning' | 'info'; link?: string }>()
    expectTypeOf(graph.getMe(token, { debug: 'all' })).resolves.toEqualTypeOf<Merged<Named & Remarked>>()
    expectTypeOf(graph.getMe(token, { partial: true })).resolves.toEqualTypeOf<Merged<Named & Remarked>>()
    expectTypeOf(graph.getMe(token, { partial: false })).resolves.toEqualTypeOf<Named>()
  })

  it('stand beside the pages and the ids', () => {
    const page = graph.getEdge(token, { id: '4', type: 'photo', edge: 'likes', debug: 'all' })
    expectTypeOf(page).resolves.toEqualTypeOf<Merged<Page<Named> & Remarked>>()
    const nodes = graph.getNodes(token, { ids: ['me'], partial: true })
    expectTypeOf(nodes).resolves.toEqualTypeOf<ById<Named> & Remarked>()
  })
})

describe('getNodes', () => {
  it('is keyed by id', () => {
    expectTypeOf(graph.getNodes(token, { ids: ['4', '5'] })).resolves.toEqualTypeOf<{
      [id: string]: LooseNode
    }>()
    expectTypeOf(graph.getNodes(token, { ids: ['me'] })).resolves.toEqualTypeOf<{ [id: string]: Named }>()
  })
})

describe('getEdge', () => {
  it('answers the entries of the edge of that type', () => {
    const asked = graph.getEdge(token, { id: '4', type: 'user', edge: 'likes', fields: 'category' })
    expectTypeOf(asked).resolves.toEqualTypeOf<Page<{ id: string; category?: string }>>()
  })

  it('answers the entries of all edges of that name where the type is not given', () => {
    const asked = graph.getEdge(token, { id: '4', edge: 'likes', fields: 'name,category,email' })
    expectTypeOf(asked).resolves.toEqualTypeOf<
      Page<{ id: string; name: string; category?: string; email?: string }>
    >()
  })

  it('answers the entries of the edges of the viewer types where the id is me', () => {
    const asked = graph.getEdge(token, {
      id: 'me',
      edge: 'photos',
      limit: 2,
      since: new Date(0),
      order: 'chronological',
    })
    expectTypeOf(asked).resolves.toEqualTypeOf<Page<{ id: string; created_time?: string }>>()
  })

  it('may have a summary where one is asked for', () => {
    const asked = graph.getEdge(token, { id: '4', type: 'photo', edge: 'likes', summary: true })
    expectTypeOf(asked).resolves.toEqualTypeOf<CountedPage<Named>>()
    const none = graph.getEdge(token, { id: '4', type: 'photo', edge: 'likes', summary: false })
    expectTypeOf(none).resolves.toEqualTypeOf<Page<Named>>()
  })
})

describe('getEdges', () => {
  it('is keyed by id', () => {
    const asked = graph.getEdges(token, { ids: ['4', '5'], type: 'group', edge: 'members', fields: 'joined' })
    expectTypeOf(asked).resolves.toEqualTypeOf<{ [id: string]: Page<{ id: string; joined: string }> }>()
  })
})

describe('hasEdge', () => {
  it('is true or false', () => {
    expectTypeOf(
      graph.hasEdge(token, { id: 'me', edge: 'friends', target: '4' }),
    ).resolves.toEqualTypeOf<boolean>()
  })
})

describe('iterateEdge', () => {
  it('gives entry after entry', () => {
    const entries = graph.iterateEdge(token, {
      id: '4',
      type: 'group',
      edge: 'members',
      fields: 'joined,name',
      limit: 100,
    })
    expectTypeOf(entries).toEqualTypeOf<AsyncIterable<{ id: string; name: string; joined: string }>>()
  })
})

describe('explain', () => {
  it('takes a type, or one of its edges', () => {
    expectTypeOf(graph.explain({ type: 'user', fields: 'name,birthday' })).toEqualTypeOf<Explanation>()
    expectTypeOf(
      graph.explain({ type: 'group', edge: 'members', fields: 'joined' }),
    ).toEqualTypeOf<Explanation>()
  })
})

describe('a graph of no known schema', () => {
  it('takes any names, and its answers are loose', () => {
    const any = {} as Graph<Schema>
    expectTypeOf(any.getMe(token, { fields: 'a,b{c}' })).resolves.toEqualTypeOf<LooseNode>()
    expectTypeOf(
      any.getNode(token, { id: '4', type: 'thing', fields: 'a' }),
    ).resolves.toEqualTypeOf<LooseNode>()
    expectTypeOf(
      any.getEdge(token, { id: '4', type: 'thing', edge: 'a', fields: 'b' }),
    ).resolves.toEqualTypeOf<Page<LooseNode>>()
  })

  it('is what any graph is to a function for all of them', () => {
    expectTypeOf(graph).toExtend<UntypedGraph>()
    expectTypeOf<Graph>().toExtend<UntypedGraph>()
  })
})
