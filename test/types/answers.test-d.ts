import { describe, expectTypeOf, it } from 'vitest'
import type { Graph } from '../../src/graph-interface.ts'
import type { CountedPage, LooseNode, Page } from '../../src/schema/inference/answer.ts'
import type { Metadata } from '../../src/schema/metadata.ts'
import type { Picture } from '../../src/schema/picture-type.ts'
import type { socialSchema } from '../../src/schema/social/social-schema.ts'
import type { AgeRange } from '../../src/schema/time-types.ts'

declare const graph: Graph<typeof socialSchema>
declare const token: string

const user = { id: '4', type: 'user' } as const
const photo = { id: '4', type: 'photo' } as const
const post = { id: '4', type: 'post' } as const

describe('a field', () => {
  it('is there where every write must give it and every token may see it', () => {
    expectTypeOf(graph.getNode(token, { ...user, fields: 'name' })).resolves.toEqualTypeOf<{
      id: string
      name: string
    }>()
  })

  it('is an optional property else, and never undefined', () => {
    expectTypeOf(graph.getNode(token, { ...user, fields: 'about,email,age_range' })).resolves.toEqualTypeOf<{
      id: string
      about?: string
      email?: string
      age_range?: AgeRange
    }>()
  })

  it('has the type of its values', () => {
    expectTypeOf(
      graph.getNode(token, { ...photo, fields: 'width,picture,images,viewer_likes' }),
    ).resolves.toEqualTypeOf<{
      id: string
      width?: number
      picture?: Picture
      images?: { source: string; width: number; height: number }[]
      viewer_likes: boolean
    }>()
  })

  it('is answered by default where the schema says so', () => {
    expectTypeOf(graph.getNode(token, user)).resolves.toEqualTypeOf<{ id: string; name: string }>()
    expectTypeOf(graph.getNode(token, post)).resolves.toEqualTypeOf<{
      id: string
      created_time?: string
      message?: string
    }>()
    expectTypeOf(graph.getNode(token, { ...user, fields: undefined })).resolves.toEqualTypeOf<{
      id: string
      name: string
    }>()
    expectTypeOf(graph.getNode(token, { ...user, fields: ' ' })).resolves.toEqualTypeOf<{
      id: string
      name: string
    }>()
    expectTypeOf(graph.getNode(token, { ...user, fields: [] })).resolves.toEqualTypeOf<{
      id: string
      name: string
    }>()
  })
})

describe('the id', () => {
  it('is there, asked for or not', () => {
    expectTypeOf(graph.getNode(token, { ...user, fields: 'id' })).resolves.toEqualTypeOf<{ id: string }>()
  })
})

describe('a ref', () => {
  it('is optional, and answers the default fields of its targets', () => {
    expectTypeOf(graph.getNode(token, { ...photo, fields: 'from' })).resolves.toEqualTypeOf<{
      id: string
      from?: { id: string; name: string }
    }>()
  })

  it('answers what is asked of it', () => {
    expectTypeOf(graph.getNode(token, { ...photo, fields: 'from{name,link}' })).resolves.toEqualTypeOf<{
      id: string
      from?: { id: string; name: string; link?: string }
    }>()
  })
})

describe('an edge', () => {
  it('is there wherever its type has it, with the defaults that it names', () => {
    expectTypeOf(graph.getNode(token, { ...user, fields: 'photos,friends' })).resolves.toEqualTypeOf<{
      id: string
      photos: Page<{ id: string; created_time?: string }>
      friends: Page<{ id: string; name: string }>
    }>()
  })

  it('is an envelope of entries', () => {
    expectTypeOf<Page<{ id: string }>>().toEqualTypeOf<{
      data: { id: string }[]
      paging?: { cursors: { before?: string; after?: string }; previous?: string; next?: string }
    }>()
  })

  it('may have a summary where one was asked, and has none else', () => {
    expectTypeOf(
      graph.getNode(token, { ...photo, fields: 'likes.limit(0).summary(true)' }),
    ).resolves.toEqualTypeOf<{
      id: string
      likes: CountedPage<{ id: string; name: string }>
    }>()
    expectTypeOf<CountedPage<{ id: string }>>().toEqualTypeOf<{
      data: { id: string }[]
      paging?: { cursors: { before?: string; after?: string }; previous?: string; next?: string }
      summary?: { order: 'chronological' | 'reverse_chronological'; total_count: number }
    }>()
    expectTypeOf<Page<{ id: string }>>().not.toHaveProperty('summary')
  })

  it('answers fields of the connection itself beside those of the target', () => {
    const asked = graph.getNode(token, { id: '4', type: 'group', fields: 'members{joined,name,about}' })
    expectTypeOf(asked).resolves.toEqualTypeOf<{
      id: string
      members: Page<{ id: string; joined: string; name: string; about?: string }>
    }>()
  })
})

describe('an alias', () => {
  it('is the key', () => {
    const fields =
      'about.as(bio),photos.limit(2).as(newest){picture.width(50).as(small),picture.width(500).as(large)}'
    expectTypeOf(graph.getNode(token, { ...user, fields })).resolves.toEqualTypeOf<{
      id: string
      bio?: string
      newest: Page<{ id: string; small?: Picture; large?: Picture }>
    }>()
  })
})

describe('several types', () => {
  it('make one object, with the fields of any of them', () => {
    expectTypeOf(graph.getMe(token, { fields: 'name,category,birthday' })).resolves.toEqualTypeOf<{
      id: string
      name: string
      category?: string
      birthday?: string
    }>()
  })

  it('make an edge optional that only some of them have', () => {
    expectTypeOf(graph.getMe(token, { fields: 'photos,friends' })).resolves.toEqualTypeOf<{
      id: string
      photos: Page<{ id: string; created_time?: string }>
      friends?: Page<{ id: string; name: string }>
    }>()
  })

  it('join the targets of an edge that they have in common', () => {
    expectTypeOf(graph.getMe(token, { fields: 'likes{name,about,email}' })).resolves.toEqualTypeOf<{
      id: string
      likes: Page<{ id: string; name: string; about?: string; email?: string }>
    }>()
  })

  it('answer the defaults of each', () => {
    expectTypeOf(
      graph.getNode(token, { id: '4', type: 'comment', fields: 'parent' }),
    ).resolves.toEqualTypeOf<{
      id: string
      parent?: { id: string; created_time?: string; message?: string }
    }>()
  })
})

describe('the way of writing', () => {
  type Answer = {
    id: string
    name: string
    photos: Page<{ id: string; from?: { id: string; name: string } }>
  }

  it('may be a list', () => {
    const asked = graph.getNode(token, { ...user, fields: ['id,name', 'photos{from}'] })
    expectTypeOf(asked).resolves.toEqualTypeOf<Answer>()
  })

  it('may be the old one', () => {
    const asked = graph.getNode(token, {
      ...user,
      fields: 'name,photos.fields(id,from.fields(name)).limit(2)',
    })
    expectTypeOf(asked).resolves.toEqualTypeOf<Answer>()
  })

  it('may have white space between any two tokens', () => {
    const fields = `
      id ,
\tname,\r
      photos . limit ( 2 ) { from
      {
          name
      } }
    `
    expectTypeOf(graph.getNode(token, { ...user, fields })).resolves.toEqualTypeOf<Answer>()
  })

  it('may have any text without quotes and brackets as an argument, a placeholder included', () => {
    const limit = Number('2')
    const asked = graph.getNode(token, {
      ...user,
      fields: `id,name,photos.limit(${limit}).since(2020-01-01T00:00:00+0000){from}`,
    })
    expectTypeOf(asked).resolves.toEqualTypeOf<Answer>()
  })
})

describe('text that the compiler cannot read', () => {
  it('gives the loose type', () => {
    const text = String('name')
    expectTypeOf(graph.getNode(token, { ...user, fields: text })).resolves.toEqualTypeOf<LooseNode>()
    expectTypeOf(graph.getNode(token, { ...user, fields: [text] })).resolves.toEqualTypeOf<LooseNode>()
    expectTypeOf(graph.getNode(token, { ...user, fields: ['id', text] })).resolves.toEqualTypeOf<LooseNode>()
    expectTypeOf(
      graph.getNode(token, { ...user, fields: text.split(',') }),
    ).resolves.toEqualTypeOf<LooseNode>()
  })

  it('is what has a placeholder outside of an argument, or in an alias', () => {
    const text = String('name')
    expectTypeOf(graph.getNode(token, { ...user, fields: `id,${text}` })).resolves.toEqualTypeOf<LooseNode>()
    expectTypeOf(
      graph.getNode(token, { ...user, fields: `id,na${text},name` }),
    ).resolves.toEqualTypeOf<LooseNode>()
    expectTypeOf(
      graph.getNode(token, { ...user, fields: `photos{${text}}` }),
    ).resolves.toEqualTypeOf<LooseNode>()
    expectTypeOf(
      graph.getNode(token, { ...user, fields: `photos.${text}(2)` }),
    ).resolves.toEqualTypeOf<LooseNode>()
    expectTypeOf(
      graph.getNode(token, { ...user, fields: `name.as(${text})` }),
    ).resolves.toEqualTypeOf<LooseNode>()
  })

  it('is what has an argument with quotes or brackets', () => {
    expectTypeOf(
      graph.getNode(token, { ...user, fields: 'photos.after("a,b)"){id}' }),
    ).resolves.toEqualTypeOf<LooseNode>()
    expectTypeOf(
      graph.getNode(token, { ...user, fields: 'photos.since([1]){id}' }),
    ).resolves.toEqualTypeOf<LooseNode>()
  })

  it('is what has brackets that do not match: the library tells where', () => {
    expectTypeOf(graph.getNode(token, { ...user, fields: 'photos{id' })).resolves.toEqualTypeOf<LooseNode>()
    expectTypeOf(graph.getNode(token, { ...user, fields: 'id}' })).resolves.toEqualTypeOf<LooseNode>()
    expectTypeOf(
      graph.getNode(token, { ...user, fields: 'photos.limit(2' }),
    ).resolves.toEqualTypeOf<LooseNode>()
  })

  it('still has an id, and nothing of it is any', () => {
    expectTypeOf<LooseNode>().toEqualTypeOf<{ id: string; [name: string]: unknown }>()
  })
})

describe('metadata in an expression', () => {
  it('has the type of what is selected', () => {
    expectTypeOf(
      graph.getNode(token, { ...user, fields: 'metadata{type,connections}' }),
    ).resolves.toEqualTypeOf<{
      id: string
      metadata: { type: string; connections: { [edge: string]: string } }
    }>()
    expectTypeOf(
      graph.getNode(token, { ...user, fields: 'metadata.as(m){type}', metadata: true }),
    ).resolves.toEqualTypeOf<{ id: string; m: { type: string }; metadata: Metadata }>()
    expectTypeOf(
      graph.getEdge(token, { ...user, edge: 'photos', fields: 'metadata' }),
    ).resolves.toEqualTypeOf<Page<{ id: string; metadata: Metadata }>>()
  })

  it('goes before the option', () => {
    expectTypeOf(
      graph.getNode(token, { ...user, fields: 'metadata{type}', metadata: true }),
    ).resolves.toEqualTypeOf<{ id: string; metadata: { type: string } }>()
    expectTypeOf(graph.getNode(token, { ...user, fields: 'name', metadata: true })).resolves.toEqualTypeOf<{
      id: string
      name: string
      metadata: Metadata
    }>()
  })

  it('that there is not is a fault', () => {
    // @ts-expect-error: no 'nmae' in metadata
    graph.getNode(token, { ...user, fields: 'metadata{nmae}' })
    // @ts-expect-error: no modifier 'limit' on metadata
    graph.getNode(token, { ...user, fields: 'metadata.limit(1)' })
  })
})

describe('redirect of a picture', () => {
  it('is accepted', () => {
    expectTypeOf(
      graph.getNode(token, { ...photo, fields: 'picture.redirect(false)' }),
    ).resolves.toEqualTypeOf<{
      id: string
      picture?: Picture
    }>()
  })
})

describe('one of several texts', () => {
  it('gives one of their answers', () => {
    const fields = {} as 'name' | 'about' | undefined
    expectTypeOf(graph.getNode(token, { ...photo, fields: {} as 'name' | undefined })).resolves.toEqualTypeOf<
      { id: string; name?: string } | { id: string; created_time?: string }
    >()
    expectTypeOf(graph.getNode(token, { ...user, fields })).resolves.toEqualTypeOf<
      { id: string; name: string } | { id: string; about?: string }
    >()
  })
})
