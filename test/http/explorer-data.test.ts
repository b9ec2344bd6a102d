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

/** Creates a function that reads data from the Explorer of an empty graph. */
const exploreGraph = (options?: GraphOptions) => {
  const graph = createGraph(createMemoryStore(), options)
  const explorer = createExplorer(graph, { graphPath: '/graph' })
  const readExplorer = async (name: string, query: { readonly [name: string]: string } = {}) => {
    const response = await explorer(new Request(`http://explorer.test/${name}?${new URLSearchParams(query)}`))
    return { status: response.status, body: JSON.parse(await response.text()) }
  }
  return { graph, readExplorer }
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

describe('schema.json of the Explorer', () => {
  it('describes a schema without its policies', async () => {
    const { status, body } = await exploreGraph({ schema: library }).readExplorer('schema.json')
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

  it('describes every type of the social schema with all fields and edges', async () => {
    const { body } = await exploreGraph().readExplorer('schema.json')
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

  it('describes the version that the graph serves for the requested one', async () => {
    const { readExplorer } = exploreGraph({ schema: library })
    const fieldsOf = async (version: string) => {
      const { body } = await readExplorer('schema.json', { version })
      return [body.version, body.types[0].fields[1].name, body.types[0].edges[0].fields.length]
    }
    expect(await fieldsOf('v1.0')).toEqual(['v1.0', 'born', 0])
    expect(await fieldsOf('v2.9')).toEqual(['v2.0', 'pen_name', 1])
  })

  it('describes the version of the graph by default', async () => {
    const { readExplorer } = exploreGraph({ schema: library, version: 'v1.0' })
    expect((await readExplorer('schema.json')).body.version).toBe('v1.0')
  })

  it('is an error for an invalid version', async () => {
    const { status, body } = await exploreGraph().readExplorer('schema.json', { version: 'newest' })
    expect([status, body.error.error_data.parameter]).toEqual([400, 'version'])
  })
})

describe('plan.json of the Explorer', () => {
  it('returns what graph.explain returns', async () => {
    const { graph, readExplorer } = exploreGraph({ schema: library })
    const calls = [
      { type: 'author' },
      { type: 'author', fields: 'name,books.limit(3){title}' },
      { type: 'author', edge: 'books', fields: 'title,role', version: 'v2.3' },
    ]
    for (const call of calls) {
      const explained: unknown = JSON.parse(JSON.stringify(graph.explain(call)))
      expect(await readExplorer('plan.json', call)).toEqual({ status: 200, body: explained })
    }
  })

  it('treats an empty parameter as missing', async () => {
    const { readExplorer } = exploreGraph()
    const empty = { type: 'user', edge: '', fields: '', version: '' }
    expect(await readExplorer('plan.json', empty)).toEqual(await readExplorer('plan.json', { type: 'user' }))
  })

  it.each([
    [{}, { reason: 'invalid_parameter', parameter: 'type' }],
    [{ type: 'constructor' }, { reason: 'invalid_parameter', parameter: 'type' }],
    [
      { type: 'user', version: '1' },
      { reason: 'invalid_parameter', parameter: 'version' },
    ],
    [
      { type: 'user', edge: 'fiends' },
      { reason: 'field_not_found', suggestions: ['friends', 'feed'] },
    ],
    [{ type: 'user', fields: 'a'.repeat(9000) }, { reason: 'expression_too_long' }],
  ])('returns an error without a position for %j', async (call, data) => {
    const { status, body } = await exploreGraph().readExplorer('plan.json', call)
    expect([status, body.error.error_data]).toMatchObject([400, data])
    expect(body).not.toHaveProperty('range')
  })
})

describe('an error in an expression of the Explorer', () => {
  /** Returns the error in an expression, and the expression with marks around the position of the error. */
  const readErrorAt = async (marked: string, type = 'user', edge = '') => {
    const fields = marked.replaceAll(/[«»]/g, '')
    const { status, body } = await exploreGraph().readExplorer('plan.json', { type, edge, fields })
    const { from, to } = body.range ?? {}
    return { status, body, shown: `${fields.slice(0, from)}«${fields.slice(from, to)}»${fields.slice(to)}` }
  }

  it.each([
    ['field_not_found', 'name, «nmae»'],
    ['field_not_found', '«n mae»'],
    ['field_not_found', 'name,photos.limit(2){name,from{name,«title»}}'],
    ['field_not_found', ' photos . limit( 2 ) . as( name ) { «nmae» , name }'],
    ['field_not_found', 'photos.fields(id,«nope»).limit(3)'],
    ['field_not_found', 'photos.limit(1).fields(comments.fields(id),«nope»),gender'],
    [
      'field_not_found',
      'photos.after(abc){id},posts.since(2014-01-01){comments.before(x){message},«mesage»}',
    ],
    ['field_not_found', '«first»,second'],
    ['invalid_parameter', 'name,«photos.limit( 0 ).order(chronological)» {id}'],
    ['invalid_parameter', 'id,«picture.type( "a b" )»,name'],
    ['invalid_parameter', '«name»{id}'],
    ['invalid_syntax', 'name,«»'],
    ['invalid_syntax', 'name «!» gender'],
    ['invalid_syntax', 'photos.limit( "a) b" ) «;» id'],
    ['invalid_syntax', 'photos{id«»'],
    ['duplicate_name', 'name , gender , «name»'],
    ['duplicate_name', 'photos.limit(1).«limit»( 2 )'],
    ['duplicate_name', 'photos{id},photos{id«}»'],
  ])('has its position, marked by « and »: %s in %s', async (reason, marked) => {
    const { status, body, shown } = await readErrorAt(marked)
    expect([status, body.error.error_data.reason, shown]).toEqual([400, reason, marked])
  })

  it('has its position and its suggestions in the entries of an edge', async () => {
    const { body, shown } = await readErrorAt('name,«joied»', 'group', 'members')
    expect([body.error.error_data.suggestions, shown]).toEqual([['joined'], 'name,«joied»'])
  })

  it('has its position if the version does not have a field', async () => {
    const { readExplorer } = exploreGraph({ schema: library })
    const { body } = await readExplorer('plan.json', {
      type: 'author',
      fields: 'id, pen_name',
      version: 'v1.0',
    })
    expect(body).toMatchObject({ error: { code: 12 }, range: { from: 4, to: 12 } })
  })
})
