import { collection, edge, isViewer, parameter, socialSchema } from 'kithgraph'
import { actionsOf } from 'kithgraph/actions'
import { describe, expect, it } from 'vitest'
import { exploreGraph, library } from './explore-graph.ts'

describe('schema.json of the Explorer', () => {
  it('describes a schema without its policies', async () => {
    const { status, body } = await exploreGraph({ schema: library }).readExplorer('schema.json')
    expect([status, body]).toEqual([
      200,
      {
        version: 'v2.10',
        versions: ['v1.0', 'v2.0', 'v2.10'],
        ids: 'digits',
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
              {
                name: 'reviews',
                order: 'reverse_chronological',
                targets: ['author'],
                fields: [],
                parameters: [
                  {
                    name: 'kind',
                    type: 'enum',
                    description: 'The length.',
                    words: ['short', 'long'],
                    default: 'short',
                  },
                  { name: 'after_day', type: 'datetime', default: '1970-01-01T00:00:00.000Z' },
                  { name: 'by', type: 'id' },
                  { name: 'min', type: 'int', required: true },
                ],
              },
              {
                name: 'drafts',
                order: 'reverse_chronological',
                targets: ['author'],
                fields: [],
                parameters: [{ name: 'q', type: 'string' }],
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
                  { name: 'format', type: 'enum', words: ['png', 'jpeg'] },
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
        "defaults": [
          "created_time",
        ],
        "description": "The photos of the person.",
        "fields": [],
        "name": "photos",
        "order": "reverse_chronological",
        "parameters": [
          {
            "default": "tagged",
            "description": "Whether the person is tagged in the photos (tagged) or published them (uploaded).",
            "name": "type",
            "type": "enum",
            "words": [
              "tagged",
              "uploaded",
            ],
          },
        ],
        "scope": "user_photos",
        "targets": [
          "photo",
        ],
      }
    `)
  })

  it('describes the collections, the orders that are not by time, and computed edges', async () => {
    const schema = socialSchema.extend(
      { user: { edges: { similar: edge('user', { times: true, resolve: () => [] }) } } },
      {
        collections: {
          people: collection('user', { defaults: ['about'] }),
          groups: collection('group', { description: 'All groups.', order: 'chronological' }),
        },
      },
    )
    const { body } = await exploreGraph({ schema }).readExplorer('schema.json')
    const edgesOf = (type: string) =>
      body.types.find(({ name }: { readonly name: string }) => name === type).edges
    const orders = ['chronological', 'reverse_chronological']
    expect(edgesOf('root')).toEqual([
      {
        name: 'people',
        order: 'reverse_chronological',
        orders,
        by: 'id',
        untimedOrders: orders,
        targets: ['user'],
        defaults: ['about'],
        fields: [],
      },
      {
        name: 'groups',
        description: 'All groups.',
        order: 'chronological',
        orders,
        by: 'id',
        untimedOrders: orders,
        targets: ['group'],
        fields: [],
      },
    ])
    expect(edgesOf('user').at(-1)).toEqual({
      name: 'similar',
      order: 'reverse_chronological',
      isComputed: true,
      targets: ['user'],
      fields: [],
    })
  })

  it('describes the actions of a type with their parameters, and without their policies', async () => {
    const action = actionsOf(socialSchema)
    const actions = [
      action('post', 'update', {
        description: 'Edits the post.',
        scope: 'publish',
        policy: [isViewer({ of: 'from' })],
        returns: 'post',
        idempotent: false,
        parameters: {
          message: parameter.string({ required: true, maxLength: 100 }),
          rating: parameter.int({ min: 1, max: 5, nullable: true }),
          tagged: parameter.list(parameter.node(['user', 'page']), { maxItems: 3 }),
          place: parameter.object({ time: parameter.datetime({ default: 0 }) }),
        },
        run: ({ source }) => ({ id: source.id }),
      }),
      action('post', 'delete', { policy: 'anyone', run: () => {} }),
    ]
    const { body } = await exploreGraph({ actions }).readExplorer('schema.json')
    const actionsByType = new Map(
      body.types.map((type: { readonly name: string; readonly actions: unknown }) => [
        type.name,
        type.actions,
      ]),
    )
    expect(actionsByType.get('user')).toBeUndefined()
    expect(actionsByType.get('post')).toEqual([
      {
        name: 'update',
        description: 'Edits the post.',
        scope: 'publish',
        returns: ['post'],
        isNotIdempotent: true,
        parameters: [
          { name: 'message', type: 'string', required: true, maxLength: 100 },
          { name: 'rating', type: 'int', nullable: true, min: 1, max: 5 },
          { name: 'tagged', type: 'list', maxItems: 3, items: { type: 'node', types: ['user', 'page'] } },
          {
            name: 'place',
            type: 'object',
            members: [{ name: 'time', type: 'datetime', default: '1970-01-01T00:00:00.000Z' }],
          },
        ],
      },
      { name: 'delete' },
    ])
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
