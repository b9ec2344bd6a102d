import {
  createGraph,
  defineSchema,
  edge,
  field,
  type GraphOptions,
  isViewer,
  node,
  socialSchema,
} from 'kithgraph'
import { createExplorer } from 'kithgraph/explorer'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'

/** Asks the Explorer of an empty graph for data. */
const explored = (options?: GraphOptions) => {
  const graph = createGraph(createMemoryStore(), options)
  const explorer = createExplorer(graph, { graphPath: '/graph' })
  const ask = async (name: string, query: { readonly [name: string]: string } = {}) => {
    const response = await explorer(new Request(`http://explorer.test/${name}?${new URLSearchParams(query)}`))
    return { status: response.status, body: JSON.parse(await response.text()) }
  }
  return { graph, ask }
}

const library = defineSchema(
  {
    author: node({
      fields: {
        name: field.string({ default: true, required: true }),
        pen_name: field.string({ since: 'v2.0', deprecated: 'name' }),
        born: field.string({ removedIn: 'v2.0' }),
      },
      edges: {
        books: edge('book', { order: 'chronological', fields: { role: field.string({ since: 'v2.0' }) } }),
      },
    }),
    book: node({
      description: 'What was printed.',
      policy: [isViewer()],
      fields: {
        title: field.string({ default: true }),
        writer: field.ref(['author', 'book'], { scope: 'writers' }),
        cover: field.url({
          description: 'Its picture.',
          parameters: { width: field.int(), format: field.enum(['png', 'jpeg']) },
          resolve: books => books.map(() => undefined),
        }),
      },
    }),
  },
  { versions: ['v1.0', 'v2.0', 'v2.10'], viewers: ['author'] },
)

describe('schema.json', () => {
  it('is what the page knows of a schema, and nothing of who may see what', async () => {
    const { status, body } = await explored({ schema: library }).ask('schema.json')
    expect([status, body]).toEqual([
      200,
      {
        version: 'v2.10',
        versions: ['v1.0', 'v2.0', 'v2.10'],
        types: [
          {
            name: 'author',
            isViewer: true,
            fields: [
              { name: 'name', type: 'string', isDefault: true },
              { name: 'pen_name', type: 'string', isDefault: false, deprecated: 'name' },
            ],
            edges: [
              {
                name: 'books',
                order: 'chronological',
                targets: ['book'],
                fields: [{ name: 'role', type: 'string', isDefault: false }],
              },
            ],
          },
          {
            name: 'book',
            description: 'What was printed.',
            isViewer: false,
            fields: [
              { name: 'title', type: 'string', isDefault: true },
              {
                name: 'writer',
                type: 'author|book',
                isDefault: false,
                scope: 'writers',
                targets: ['author', 'book'],
              },
              {
                name: 'cover',
                type: 'url',
                description: 'Its picture.',
                isDefault: false,
                parameters: [
                  { name: 'width', type: 'int' },
                  { name: 'format', type: 'enum' },
                ],
              },
            ],
            edges: [],
          },
        ],
      },
    ])
  })

  it('describes every type of the social schema with all that it has', async () => {
    const { body } = await explored().ask('schema.json')
    const names = (members: readonly { readonly name: string }[]) => members.map(({ name }) => name)
    for (const { name, fields, edges } of body.types) {
      const type = Object.entries(socialSchema.types).find(([declared]) => declared === name)?.[1]
      expect([names(fields), names(edges)]).toEqual([
        Object.keys(type?.fields ?? {}),
        Object.keys(type?.edges ?? {}),
      ])
    }
    expect(names(body.types)).toEqual(Object.keys(socialSchema.types))
    expect(body.types[0].edges[0]).toMatchInlineSnapshot(`
      {
        "description": "The photos that the person published.",
        "fields": [],
        "name": "photos",
        "order": "reverse_chronological",
        "scope": "user_photos",
        "targets": [
          "photo",
        ],
      }
    `)
  })

  it('is of the version asked for, as the graph serves it', async () => {
    const { ask } = explored({ schema: library })
    const fieldsOf = async (version: string) => {
      const { body } = await ask('schema.json', { version })
      return [body.version, body.types[0].fields[1].name, body.types[0].edges[0].fields.length]
    }
    expect(await fieldsOf('v1.0')).toEqual(['v1.0', 'born', 0])
    expect(await fieldsOf('v2.9')).toEqual(['v2.0', 'pen_name', 1])
  })

  it('is of the graph’s own version where none is asked for', async () => {
    const { ask } = explored({ schema: library, version: 'v1.0' })
    expect((await ask('schema.json')).body.version).toBe('v1.0')
  })

  it('is refused for what is no version', async () => {
    const { status, body } = await explored().ask('schema.json', { version: 'newest' })
    expect([status, body.error.error_data.parameter]).toEqual([400, 'version'])
  })
})

describe('plan.json', () => {
  it('is what the graph explains', async () => {
    const { graph, ask } = explored({ schema: library })
    const calls = [
      { type: 'author' },
      { type: 'author', fields: 'name,books.limit(3){title}' },
      { type: 'author', edge: 'books', fields: 'title,role', version: 'v2.3' },
    ]
    for (const call of calls) {
      const explained: unknown = JSON.parse(JSON.stringify(graph.explain(call)))
      expect(await ask('plan.json', call)).toEqual({ status: 200, body: explained })
    }
  })

  it('takes what is empty as not there', async () => {
    const { ask } = explored()
    const empty = { type: 'user', edge: '', fields: '', version: '' }
    expect(await ask('plan.json', empty)).toEqual(await ask('plan.json', { type: 'user' }))
  })

  it.each([
    [{}, { reason: 'bad_parameter', parameter: 'type' }],
    [{ type: 'constructor' }, { reason: 'bad_parameter', parameter: 'type' }],
    [
      { type: 'user', version: '1' },
      { reason: 'bad_parameter', parameter: 'version' },
    ],
    [
      { type: 'user', edge: 'fiends' },
      { reason: 'unknown_field', suggestions: ['friends', 'feed'] },
    ],
    [{ type: 'user', fields: 'a'.repeat(9000) }, { reason: 'expression_too_long' }],
  ])('refuses %j, which is at fault as a whole', async (call, data) => {
    const { status, body } = await explored().ask('plan.json', call)
    expect([status, body.error.error_data]).toMatchObject([400, data])
    expect(body).not.toHaveProperty('range')
  })
})

describe('a fault in an expression', () => {
  /** The part of the text between the marks is what is at fault. */
  const faultOf = async (marked: string, type = 'user', edge = '') => {
    const fields = marked.replaceAll(/[«»]/g, '')
    const { status, body } = await explored().ask('plan.json', { type, edge, fields })
    const { from, to } = body.range ?? {}
    return { status, body, shown: `${fields.slice(0, from)}«${fields.slice(from, to)}»${fields.slice(to)}` }
  }

  it.each([
    ['unknown_field', 'name, «nmae»'],
    ['unknown_field', '«n mae»'],
    ['unknown_field', 'name,photos.limit(2){name,from{name,«title»}}'],
    ['unknown_field', ' photos . limit( 2 ) . as( name ) { «nmae» , name }'],
    ['unknown_field', 'photos.fields(id,«nope»).limit(3)'],
    ['unknown_field', 'photos.limit(1).fields(comments.fields(id),«nope»),gender'],
    ['unknown_field', 'photos.after(abc){id},posts.since(2014-01-01){comments.before(x){message},«mesage»}'],
    ['unknown_field', '«first»,second'],
    ['bad_parameter', 'name,«photos.limit( 0 ).order(chronological)» {id}'],
    ['bad_parameter', 'id,«picture.type( "a b" )»,name'],
    ['bad_parameter', '«name»{id}'],
    ['syntax', 'name,«»'],
    ['syntax', 'name «!» gender'],
    ['syntax', 'photos.limit( "a) b" ) «;» id'],
    ['syntax', 'photos{id«»'],
    ['duplicate', 'name , gender , «name»'],
    ['duplicate', 'photos.limit(1).«limit»( 2 )'],
    ['duplicate', 'photos{id},photos{id«}»'],
  ])('is told with its place: %s in %s', async (reason, marked) => {
    const { status, body, shown } = await faultOf(marked)
    expect([status, body.error.error_data.reason, shown]).toEqual([400, reason, marked])
  })

  it('is looked for in the entries of the edge that is asked', async () => {
    const { body, shown } = await faultOf('name,«joied»', 'group', 'members')
    expect([body.error.error_data.suggestions, shown]).toEqual([['joined'], 'name,«joied»'])
  })

  it('of a version is told likewise', async () => {
    const { ask } = explored({ schema: library })
    const { body } = await ask('plan.json', { type: 'author', fields: 'id, pen_name', version: 'v1.0' })
    expect(body).toMatchObject({ error: { code: 12 }, range: { from: 4, to: 12 } })
  })
})
