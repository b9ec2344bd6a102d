import { defineSchema, edge, field, node, socialSchema } from 'kithgraph'
import { describe, expect, it } from 'vitest'
import { metadataOf, typeNameOf } from '../../../src/schema/metadata.ts'
import { Registry } from '../../../src/schema/registry.ts'

const schema = defineSchema(
  {
    reader: node({
      description: 'Who reads.',
      fields: { name: field.string({ default: true, required: true }) },
      edges: { loans: edge('book', { inverse: 'readers', scope: 'loans' }) },
    }),
    book: node({
      fields: { title: field.string({ default: true }), author: field.ref(['reader', 'book']) },
      edges: { readers: edge('reader', { inverse: 'loans' }) },
    }),
  },
  { versions: ['v2.12', 'v2.3'], viewers: ['reader'], silhouette: '/nobody.svg' },
)

describe('a schema', () => {
  it('is frozen, with its versions ascending', () => {
    expect(Object.isFrozen(schema) && Object.isFrozen(schema.types) && Object.isFrozen(schema.versions)).toBe(
      true,
    )
    expect(schema.versions).toEqual(['v2.3', 'v2.12'])
    expect(schema.viewers).toEqual(['reader'])
  })

  it('is of version v1.0 and seen by all types, unless it says otherwise', () => {
    const plain = defineSchema({ a: node({}), b: node({}) })
    expect(plain.versions).toEqual(['v1.0'])
    expect(plain.viewers).toEqual(['a', 'b'])
    expect(plain.silhouette).toBeUndefined()
  })

  it('does not change with what it was made of', () => {
    const types: { [name: string]: ReturnType<typeof node> } = { a: node({}) }
    const made = defineSchema(types)
    types.b = node({})
    expect(Object.keys(made.types)).toEqual(['a'])
  })

  it('may have a symmetric edge, a mirror on the same type, and refs in a circle', () => {
    const circle = defineSchema({
      person: node({
        fields: { idol: field.ref('person'), name: field.string({ default: true }) },
        edges: {
          friends: edge('person', { symmetric: true }),
          follows: edge('person', { inverse: 'followers' }),
          followers: edge('person', { inverse: 'follows' }),
        },
      }),
    })
    expect(circle.types.person.edges.friends.symmetric).toBe(true)
  })
})

describe('an extension', () => {
  const more = schema.extend(
    {
      book: {
        fields: { pages: field.int(), title: field.string({ default: true, description: 'On the cover.' }) },
      },
      shelf: node({ edges: { books: edge('book') } }),
    },
    { viewers: ['reader', 'shelf'] },
  )

  it('adds types, fields and edges; what is given again is replaced', () => {
    expect(Object.keys(more.types)).toEqual(['reader', 'book', 'shelf'])
    expect(Object.keys(more.types.book.fields)).toEqual(['title', 'author', 'pages'])
    expect(more.types.book.fields.title.description).toBe('On the cover.')
  })

  it('inherits the rest', () => {
    expect(more.types.reader).toEqual(schema.types.reader)
    expect(more.types.book.edges).toEqual(schema.types.book.edges)
    expect(more.versions).toEqual(schema.versions)
    expect(more.silhouette).toBe('/nobody.svg')
    expect(more.viewers).toEqual(['reader', 'shelf'])
  })

  it('leaves the schema that it extends as it is', () => {
    expect(Object.keys(schema.types)).toEqual(['reader', 'book'])
    expect(Object.keys(schema.types.book.fields)).toEqual(['title', 'author'])
  })

  it('can be extended again', () => {
    const again = more.extend({ shelf: { fields: { label: field.string() } } })
    expect(Object.keys(again.types.shelf.fields)).toEqual(['label'])
    expect(Object.keys(again.types.shelf.edges)).toEqual(['books'])
  })

  it('inherits what is given as undefined: neither viewers are let in nor versions left out by it', () => {
    const same = schema.extend(
      { book: { description: undefined } },
      { versions: undefined, viewers: undefined },
    )
    expect(same.versions).toEqual(schema.versions)
    expect(same.viewers).toEqual(['reader'])
    expect(same.types.book).toEqual(schema.types.book)
  })

  it('may be of a whole node that is new, or was changed by hand', () => {
    const book = { ...schema.types.book, description: 'What is read.' }
    const copied = schema.extend({ book, leaflet: { ...book, edges: {} } })
    expect(copied.types.book).toEqual(book)
    expect(copied.types.leaflet.fields).toEqual(book.fields)
    expect(Object.isFrozen(copied.types.leaflet)).toBe(true)
  })

  it('keeps ids that differ from app to app', () => {
    const { user } = socialSchema.extend({ user: { fields: { phone: field.string() } } }).types
    expect(user.appScoped).toBe(true)
    expect(user.description).toBe(socialSchema.types.user.description)
  })

  it('may take the silhouette away', () => {
    expect(schema.extend({}, { silhouette: undefined }).silhouette).toBeUndefined()
  })
})

describe('a registry', () => {
  const registry = new Registry(schema, undefined)

  it('finds what is declared, and nothing that objects inherit', () => {
    expect(registry.type('book')).toBe(schema.types.book)
    expect(registry.field('book', 'title')).toBe(schema.types.book.fields.title)
    expect(registry.edge('book', 'readers')).toBe(schema.types.book.edges.readers)
    for (const name of ['constructor', '__proto__', 'toString', 'shelf', '']) {
      expect(registry.type(name)).toBeUndefined()
      expect(registry.field('book', name)).toBeUndefined()
      expect(registry.edge('book', name)).toBeUndefined()
      expect(registry.holdersOf(name)).toEqual([])
    }
  })

  it('knows the types with an edge of a name', () => {
    expect(new Registry(socialSchema, undefined).holdersOf('likes')).toEqual([
      'user',
      'page',
      'post',
      'photo',
      'comment',
    ])
  })

  it('serves the newest version, or the one of the graph', () => {
    expect(registry.version(undefined)).toBe('v2.12')
    expect(new Registry(schema, 'v2.3').version(undefined)).toBe('v2.3')
    expect(registry.version('v2.4')).toBe('v2.3')
  })
})

describe('metadata', () => {
  it('describes the fields of a type, and where its edges are', () => {
    expect(metadataOf('book', schema.types.book, 'v2.3', name => `/7/${name}`)).toEqual({
      fields: [
        { name: 'id', description: 'The id of the node.', type: 'numeric string' },
        { name: 'title', description: '', type: 'string' },
        { name: 'author', description: '', type: 'reader|book' },
      ],
      type: 'book',
      connections: { readers: '/7/readers' },
    })
  })

  it.each([
    [field.ref('user'), 'user'],
    [field.viewerEdge('likes'), 'bool'],
    [field.edgeTime(), 'datetime'],
    [field.list(field.string()), 'list<string>'],
  ])('names the type of %o', (declared, name) => {
    expect(typeNameOf(declared)).toBe(name)
  })
})
