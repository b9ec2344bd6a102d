import { describe, expectTypeOf, it } from 'vitest'
import type { PublicId } from '../../src/base/ids.ts'
import type { Graph } from '../../src/graph-interface.ts'
import type { Page, PageWithSummary, UntypedNode } from '../../src/schema/inference/result.ts'
import type { Metadata } from '../../src/schema/metadata.ts'
import type { Picture } from '../../src/schema/picture-type.ts'
import type { socialSchema } from '../../src/schema/social/social-schema.ts'
import type { AgeRange } from '../../src/schema/time-types.ts'

declare const graph: Graph<typeof socialSchema>
declare const token: string

const user = { id: '4', type: 'user' } as const
const photo = { id: '4', type: 'photo' } as const
const post = { id: '4', type: 'post' } as const

describe('a field in the type of a result', () => {
  it('is required if every node has it and every token can read it', () => {
    expectTypeOf(graph.getNode(token, { ...user, fields: 'name' })).resolves.toEqualTypeOf<{
      id: PublicId
      name: string
    }>()
  })

  it('is optional if a node may lack it or a token may not read it, and does not include undefined', () => {
    expectTypeOf(graph.getNode(token, { ...user, fields: 'about,email,age_range' })).resolves.toEqualTypeOf<{
      id: PublicId
      about?: string
      email?: string
      age_range?: AgeRange
    }>()
  })

  it('has the type of the returned value', () => {
    expectTypeOf(
      graph.getNode(token, { ...photo, fields: 'width,picture,images,viewer_likes' }),
    ).resolves.toEqualTypeOf<{
      id: PublicId
      width?: number
      picture?: Picture
      images?: { source: string; width: number; height: number }[]
      viewer_likes: boolean
    }>()
  })

  it('is present without an expression if it is a default field', () => {
    expectTypeOf(graph.getNode(token, user)).resolves.toEqualTypeOf<{ id: PublicId; name: string }>()
    expectTypeOf(graph.getNode(token, post)).resolves.toEqualTypeOf<{
      id: PublicId
      created_time?: string
      message?: string
    }>()
    expectTypeOf(graph.getNode(token, { ...user, fields: undefined })).resolves.toEqualTypeOf<{
      id: PublicId
      name: string
    }>()
    expectTypeOf(graph.getNode(token, { ...user, fields: ' ' })).resolves.toEqualTypeOf<{
      id: PublicId
      name: string
    }>()
    expectTypeOf(graph.getNode(token, { ...user, fields: [] })).resolves.toEqualTypeOf<{
      id: PublicId
      name: string
    }>()
  })
})

describe('the id in the type of a result', () => {
  it('is always present', () => {
    expectTypeOf(graph.getNode(token, { ...user, fields: 'id' })).resolves.toEqualTypeOf<{ id: PublicId }>()
  })
})

describe('a ref in the type of a result', () => {
  it('is optional, with the default fields of its targets', () => {
    expectTypeOf(graph.getNode(token, { ...photo, fields: 'from' })).resolves.toEqualTypeOf<{
      id: PublicId
      from?: { id: PublicId; name: string }
    }>()
  })

  it('has the requested fields', () => {
    expectTypeOf(graph.getNode(token, { ...photo, fields: 'from{name,link}' })).resolves.toEqualTypeOf<{
      id: PublicId
      from?: { id: PublicId; name: string; link?: string }
    }>()
  })
})

describe('an edge in the type of a result', () => {
  it('is required if the type has it, and has the default fields of the target', () => {
    expectTypeOf(graph.getNode(token, { ...user, fields: 'photos,friends' })).resolves.toEqualTypeOf<{
      id: PublicId
      photos: Page<{ id: PublicId; created_time?: string }>
      friends: Page<{ id: PublicId; name: string }>
    }>()
  })

  it('is a page of entries', () => {
    expectTypeOf<Page<{ id: PublicId }>>().toEqualTypeOf<{
      data: { id: PublicId }[]
      paging?: { cursors: { before?: string; after?: string }; previous?: string; next?: string }
    }>()
  })

  it('has an optional summary only if one is requested', () => {
    expectTypeOf(
      graph.getNode(token, { ...photo, fields: 'likes.limit(0).summary(true)' }),
    ).resolves.toEqualTypeOf<{
      id: PublicId
      likes: PageWithSummary<{ id: PublicId; name: string }>
    }>()
    expectTypeOf<PageWithSummary<{ id: PublicId }>>().toEqualTypeOf<{
      data: { id: PublicId }[]
      paging?: { cursors: { before?: string; after?: string }; previous?: string; next?: string }
      summary?: { order: string; total_count: number }
    }>()
    expectTypeOf<Page<{ id: PublicId }>>().not.toHaveProperty('summary')
  })

  it('has the fields of the edge as well as those of the target', () => {
    const promise = graph.getNode(token, { id: '4', type: 'group', fields: 'members{joined,name,about}' })
    expectTypeOf(promise).resolves.toEqualTypeOf<{
      id: PublicId
      members: Page<{ id: PublicId; joined: string; name: string; about?: string }>
    }>()
  })
})

describe('an aliased item in the type of a result', () => {
  it('has the alias as its key', () => {
    const fields =
      'about.as(bio),photos.limit(2).as(newest){picture.width(50).as(small),picture.width(500).as(large)}'
    expectTypeOf(graph.getNode(token, { ...user, fields })).resolves.toEqualTypeOf<{
      id: PublicId
      bio?: string
      newest: Page<{ id: PublicId; small?: Picture; large?: Picture }>
    }>()
  })
})

describe('the type of a result with several possible types', () => {
  it('is one object with the fields of all of them', () => {
    expectTypeOf(graph.getMe(token, { fields: 'name,category,birthday' })).resolves.toEqualTypeOf<{
      id: PublicId
      name: string
      category?: string
      birthday?: string
    }>()
  })

  it('has an optional edge if only some of them have it', () => {
    expectTypeOf(graph.getMe(token, { fields: 'photos,friends' })).resolves.toEqualTypeOf<{
      id: PublicId
      photos: Page<{ id: PublicId; created_time?: string }>
      friends?: Page<{ id: PublicId; name: string }>
    }>()
  })

  it('joins the targets of an edge that they share', () => {
    expectTypeOf(graph.getMe(token, { fields: 'likes{name,about,email}' })).resolves.toEqualTypeOf<{
      id: PublicId
      likes: Page<{ id: PublicId; name: string; about?: string; email?: string }>
    }>()
  })

  it('has the default fields of each', () => {
    expectTypeOf(
      graph.getNode(token, { id: '4', type: 'comment', fields: 'parent' }),
    ).resolves.toEqualTypeOf<{
      id: PublicId
      parent?: { id: PublicId; created_time?: string; message?: string }
    }>()
  })
})

describe('an expression that the compiler can parse', () => {
  type UserResult = {
    id: PublicId
    name: string
    photos: Page<{ id: PublicId; from?: { id: PublicId; name: string } }>
  }

  it('can be a list of texts', () => {
    const promise = graph.getNode(token, { ...user, fields: ['id,name', 'photos{from}'] })
    expectTypeOf(promise).resolves.toEqualTypeOf<UserResult>()
  })

  it('can be the older syntax with fields()', () => {
    const promise = graph.getNode(token, {
      ...user,
      fields: 'name,photos.fields(id,from.fields(name)).limit(2)',
    })
    expectTypeOf(promise).resolves.toEqualTypeOf<UserResult>()
  })

  it('can have white space between any two tokens', () => {
    const fields = `
      id ,
\tname,\r
      photos . limit ( 2 ) { from
      {
          name
      } }
    `
    expectTypeOf(graph.getNode(token, { ...user, fields })).resolves.toEqualTypeOf<UserResult>()
  })

  it('can have any argument without quotes and brackets, including a placeholder', () => {
    const limit = Number('2')
    const promise = graph.getNode(token, {
      ...user,
      fields: `id,name,photos.limit(${limit}).since(2020-01-01T00:00:00+0000){from}`,
    })
    expectTypeOf(promise).resolves.toEqualTypeOf<UserResult>()
  })
})

describe('an expression that the compiler cannot parse', () => {
  it('has an untyped result, for example if it is not a literal', () => {
    const text = String('name')
    expectTypeOf(graph.getNode(token, { ...user, fields: text })).resolves.toEqualTypeOf<UntypedNode>()
    expectTypeOf(graph.getNode(token, { ...user, fields: [text] })).resolves.toEqualTypeOf<UntypedNode>()
    expectTypeOf(
      graph.getNode(token, { ...user, fields: ['id', text] }),
    ).resolves.toEqualTypeOf<UntypedNode>()
    expectTypeOf(
      graph.getNode(token, { ...user, fields: text.split(',') }),
    ).resolves.toEqualTypeOf<UntypedNode>()
  })

  it('is one with a placeholder outside of an argument, or in an alias', () => {
    const text = String('name')
    expectTypeOf(
      graph.getNode(token, { ...user, fields: `id,${text}` }),
    ).resolves.toEqualTypeOf<UntypedNode>()
    expectTypeOf(
      graph.getNode(token, { ...user, fields: `id,na${text},name` }),
    ).resolves.toEqualTypeOf<UntypedNode>()
    expectTypeOf(
      graph.getNode(token, { ...user, fields: `photos{${text}}` }),
    ).resolves.toEqualTypeOf<UntypedNode>()
    expectTypeOf(
      graph.getNode(token, { ...user, fields: `photos.${text}(2)` }),
    ).resolves.toEqualTypeOf<UntypedNode>()
    expectTypeOf(
      graph.getNode(token, { ...user, fields: `name.as(${text})` }),
    ).resolves.toEqualTypeOf<UntypedNode>()
  })

  it('is one with quotes or brackets in an argument', () => {
    expectTypeOf(
      graph.getNode(token, { ...user, fields: 'photos.after("a,b)"){id}' }),
    ).resolves.toEqualTypeOf<UntypedNode>()
    expectTypeOf(
      graph.getNode(token, { ...user, fields: 'photos.since([1]){id}' }),
    ).resolves.toEqualTypeOf<UntypedNode>()
  })

  it('is one with unbalanced brackets', () => {
    expectTypeOf(graph.getNode(token, { ...user, fields: 'photos{id' })).resolves.toEqualTypeOf<UntypedNode>()
    expectTypeOf(graph.getNode(token, { ...user, fields: 'id}' })).resolves.toEqualTypeOf<UntypedNode>()
    expectTypeOf(
      graph.getNode(token, { ...user, fields: 'photos.limit(2' }),
    ).resolves.toEqualTypeOf<UntypedNode>()
  })

  it('has a result with an id and fields of type unknown', () => {
    expectTypeOf<UntypedNode>().toEqualTypeOf<{ id: PublicId; [name: string]: unknown }>()
  })
})

describe('the type of metadata in an expression', () => {
  it('has the selected parts', () => {
    expectTypeOf(
      graph.getNode(token, { ...user, fields: 'metadata{type,connections}' }),
    ).resolves.toEqualTypeOf<{
      id: PublicId
      metadata: { type: string; connections: { [edge: string]: string } }
    }>()
    expectTypeOf(
      graph.getNode(token, { ...user, fields: 'metadata.as(m){type}', metadata: true }),
    ).resolves.toEqualTypeOf<{ id: PublicId; m: { type: string }; metadata: Metadata }>()
    expectTypeOf(
      graph.getEdge(token, { ...user, edge: 'photos', fields: 'metadata' }),
    ).resolves.toEqualTypeOf<Page<{ id: PublicId; metadata: Metadata }>>()
  })

  it('takes precedence over the type of the option metadata', () => {
    expectTypeOf(
      graph.getNode(token, { ...user, fields: 'metadata{type}', metadata: true }),
    ).resolves.toEqualTypeOf<{ id: PublicId; metadata: { type: string } }>()
    expectTypeOf(graph.getNode(token, { ...user, fields: 'name', metadata: true })).resolves.toEqualTypeOf<{
      id: PublicId
      name: string
      metadata: Metadata
    }>()
  })

  it('rejects parts that do not exist', () => {
    // @ts-expect-error: no 'nmae' in metadata
    graph.getNode(token, { ...user, fields: 'metadata{nmae}' })
    // @ts-expect-error: no modifier 'limit' on metadata
    graph.getNode(token, { ...user, fields: 'metadata.limit(1)' })
  })
})

describe('the modifier redirect of a picture', () => {
  it('is accepted by the compiler, and does not change the type of the result', () => {
    expectTypeOf(
      graph.getNode(token, { ...photo, fields: 'picture.redirect(false)' }),
    ).resolves.toEqualTypeOf<{
      id: PublicId
      picture?: Picture
    }>()
  })
})

describe('the type of a result for a union of expressions', () => {
  it('is the union of their results', () => {
    const fields = {} as 'name' | 'about' | undefined
    expectTypeOf(graph.getNode(token, { ...photo, fields: {} as 'name' | undefined })).resolves.toEqualTypeOf<
      { id: PublicId; name?: string } | { id: PublicId; created_time?: string }
    >()
    expectTypeOf(graph.getNode(token, { ...user, fields })).resolves.toEqualTypeOf<
      { id: PublicId; name: string } | { id: PublicId; about?: string }
    >()
  })
})
