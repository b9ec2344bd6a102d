import { defineSchema, edge, field, node, socialSchema } from 'kithgraph'
import { describe, expect, it } from 'vitest'
import { createNodeMetadata, typeNameOf } from '../../../src/schema/metadata.ts'
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
  { versions: ['v2.12', 'v2.3'], viewers: ['reader'], defaultPicture: '/nobody.svg' },
)

describe('a schema', () => {
  it('is frozen, with its versions ascending', () => {
    expect(Object.isFrozen(schema) && Object.isFrozen(schema.types) && Object.isFrozen(schema.versions)).toBe(
      true,
    )
    expect(schema.versions).toEqual(['v2.3', 'v2.12'])
    expect(schema.viewers).toEqual(['reader'])
  })

  it('has the version v1.0, and all types as viewers, by default', () => {
    const plain = defineSchema({ a: node({}), b: node({}) })
    expect(plain.versions).toEqual(['v1.0'])
    expect(plain.viewers).toEqual(['a', 'b'])
    expect(plain.defaultPicture).toBeUndefined()
  })

  it('does not change if the object that it was created from is changed later', () => {
    const types: { [name: string]: ReturnType<typeof node> } = { a: node({}) }
    const made = defineSchema(types)
    types.b = node({})
    expect(Object.keys(made.types)).toEqual(['a'])
  })

  it('may have a symmetric edge, an inverse on the same type, and refs in a circle', () => {
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

describe('an extended schema', () => {
  const extended = schema.extend(
    {
      book: {
        fields: { pages: field.int(), title: field.string({ default: true, description: 'On the cover.' }) },
      },
      shelf: node({ edges: { books: edge('book') } }),
    },
    { viewers: ['reader', 'shelf'] },
  )

  it('has the added types, fields and edges, and replaces existing ones with the same names', () => {
    expect(Object.keys(extended.types)).toEqual(['reader', 'book', 'shelf'])
    expect(Object.keys(extended.types.book.fields)).toEqual(['title', 'author', 'pages'])
    expect(extended.types.book.fields.title.description).toBe('On the cover.')
  })

  it('inherits everything that the extension does not change', () => {
    expect(extended.types.reader).toEqual(schema.types.reader)
    expect(extended.types.book.edges).toEqual(schema.types.book.edges)
    expect(extended.versions).toEqual(schema.versions)
    expect(extended.defaultPicture).toBe('/nobody.svg')
    expect(extended.viewers).toEqual(['reader', 'shelf'])
  })

  it('leaves the original schema unchanged', () => {
    expect(Object.keys(schema.types)).toEqual(['reader', 'book'])
    expect(Object.keys(schema.types.book.fields)).toEqual(['title', 'author'])
  })

  it('can be extended again', () => {
    const again = extended.extend({ shelf: { fields: { label: field.string() } } })
    expect(Object.keys(again.types.shelf.fields)).toEqual(['label'])
    expect(Object.keys(again.types.shelf.edges)).toEqual(['books'])
  })

  it('inherits viewers and versions if these options are undefined', () => {
    const same = schema.extend(
      { book: { description: undefined } },
      { versions: undefined, viewers: undefined },
    )
    expect(same.versions).toEqual(schema.versions)
    expect(same.viewers).toEqual(['reader'])
    expect(same.types.book).toEqual(schema.types.book)
  })

  it('accepts a complete node, whether it is new or a changed copy', () => {
    const book = { ...schema.types.book, description: 'What is read.' }
    const copied = schema.extend({ book, leaflet: { ...book, edges: {} } })
    expect(copied.types.book).toEqual(book)
    expect(copied.types.leaflet.fields).toEqual(book.fields)
    expect(Object.isFrozen(copied.types.leaflet)).toBe(true)
  })

  it('keeps app-scoped ids', () => {
    const { user } = socialSchema.extend({ user: { fields: { phone: field.string() } } }).types
    expect(user.appScoped).toBe(true)
    expect(user.description).toBe(socialSchema.types.user.description)
  })

  it('may remove the default picture', () => {
    expect(schema.extend({}, { defaultPicture: undefined }).defaultPicture).toBeUndefined()
  })
})

describe('the registry of a schema', () => {
  const registry = new Registry(schema, undefined)

  it('finds declared names, but not names that objects inherit', () => {
    expect(registry.getType('book')).toBe(schema.types.book)
    expect(registry.getField('book', 'title')).toBe(schema.types.book.fields.title)
    expect(registry.getEdge('book', 'readers')).toBe(schema.types.book.edges.readers)
    for (const name of ['constructor', '__proto__', 'toString', 'shelf', '']) {
      expect(registry.getType(name)).toBeUndefined()
      expect(registry.getField('book', name)).toBeUndefined()
      expect(registry.getEdge('book', name)).toBeUndefined()
      expect(registry.sourceTypesOf(name)).toEqual([])
    }
  })

  it('returns the types that have an edge of a name', () => {
    expect(new Registry(socialSchema, undefined).sourceTypesOf('likes')).toEqual([
      'user',
      'page',
      'post',
      'photo',
      'comment',
    ])
  })

  it('uses the newest version by default, or the version of the graph', () => {
    expect(registry.resolveVersion(undefined)).toBe('v2.12')
    expect(new Registry(schema, 'v2.3').resolveVersion(undefined)).toBe('v2.3')
    expect(registry.resolveVersion('v2.4')).toBe('v2.3')
  })
})

describe('metadata', () => {
  it('describes the fields of a type and the links of its edges', () => {
    expect(createNodeMetadata('digits', 'book', schema.types.book, 'v2.3', name => `/7/${name}`)).toEqual({
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
  ])('names the type of a field: $1', (declared, name) => {
    expect(typeNameOf(declared)).toBe(name)
  })
})
