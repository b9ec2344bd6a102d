import fc from 'fast-check'
import { createGraph, defineSchema, edge, field, node, socialSchema } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { validSchemas } from '../helpers/graph-arbitraries.ts'
import { idKinds } from '../helpers/id-kinds.ts'
import { VERSIONS } from '../helpers/naive-graph/world.ts'
import { createSchema } from '../helpers/open-world.ts'
import { propertySettings } from '../property/property-settings.ts'
import {
  createDocument,
  createDocumentValidator,
  escapePointerPart,
  findObjects,
  schemaPointer,
  valueAt,
  withValidators,
} from './openapi-validator.ts'

const social = createDocument(socialSchema)

/** Valid schemas with ids of either kind. */
const schemas = fc.tuple(validSchemas(), idKinds).map(([spec, ids]) => createSchema({ ...spec, ids }))

/** Returns the operations of a document, each with its pointer. */
const operationsOf = (document: object) =>
  findObjects(valueAt(document, '/paths')).filter(([, object]) => 'operationId' in object)

describe('the OpenAPI document of a schema', () => {
  it('is valid OpenAPI 3.1', async () => {
    const validator = await createDocumentValidator()
    expect(validator(social)).toEqual([])
    expect(validator({ ...social, openapi: '3.0.0' })).not.toEqual([])
  })

  it('is valid for any schema in any version, and has no broken references', async () => {
    const validator = await createDocumentValidator()
    fc.assert(
      fc.property(schemas, fc.constantFrom(...VERSIONS), (schema, version) => {
        const document = createDocument(schema, version)
        expect(validator(document)).toEqual([])
        for (const [pointer, object] of findObjects(document)) {
          if (typeof object.$ref !== 'string') continue
          expect(valueAt(document, object.$ref.slice(1)), `${pointer}: ${object.$ref}`).toBeDefined()
        }
      }),
      propertySettings(15),
    )
  })

  it('is the same text for the same schema', () => {
    fc.assert(
      fc.property(validSchemas(), idKinds, (spec, ids) => {
        const print = () => JSON.stringify(createDocument(createSchema({ ...spec, ids })))
        expect(print()).toBe(print())
      }),
      propertySettings(20),
    )
  })

  it('has a path for each edge of the viewer, of a node and of several nodes', () => {
    expect(Object.keys(Object(social.paths))).toMatchInlineSnapshot(`
      [
        "/me",
        "/{id}",
        "/",
        "/me/photos",
        "/me/albums",
        "/me/posts",
        "/me/feed",
        "/me/friends",
        "/me/likes",
        "/me/groups",
        "/me/accounts",
        "/{id}/photos",
        "/{id}/albums",
        "/{id}/posts",
        "/{id}/feed",
        "/{id}/friends",
        "/{id}/likes",
        "/{id}/groups",
        "/{id}/accounts",
        "/{id}/members",
        "/{id}/comments",
        "/{id}/reactions",
        "/photos",
        "/albums",
        "/posts",
        "/feed",
        "/friends",
        "/likes",
        "/groups",
        "/accounts",
        "/members",
        "/comments",
        "/reactions",
        "/me/photos/{target}",
        "/me/albums/{target}",
        "/me/posts/{target}",
        "/me/feed/{target}",
        "/me/friends/{target}",
        "/me/likes/{target}",
        "/me/groups/{target}",
        "/me/accounts/{target}",
        "/{id}/photos/{target}",
        "/{id}/albums/{target}",
        "/{id}/posts/{target}",
        "/{id}/feed/{target}",
        "/{id}/friends/{target}",
        "/{id}/likes/{target}",
        "/{id}/groups/{target}",
        "/{id}/accounts/{target}",
        "/{id}/members/{target}",
        "/{id}/comments/{target}",
        "/{id}/reactions/{target}",
        "/me/picture",
        "/{id}/picture",
        "/me/permissions",
        "/debug_token",
      ]
    `)
  })

  it('has a unique id for each operation, and declares the parameters of its path', () => {
    const operations = operationsOf(social)
    const ids = operations.map(([, { operationId }]) => operationId)
    expect(new Set(ids).size).toBe(ids.length)
    for (const [pointer, { parameters }] of operations) {
      const requiresId = findObjects(parameters).some(([, { $ref }]) => $ref === '#/components/parameters/id')
      expect(requiresId, pointer).toBe(pointer.includes('{id}'))
    }
  })

  it('has examples that fit their schemas', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.constant(socialSchema), schemas), async schema => {
        const document = createDocument(schema)
        await withValidators(document, async validatorAt => {
          for (const [pointer, { examples }] of findObjects(document)) {
            if (!Array.isArray(examples)) continue
            const validator = await validatorAt(pointer)
            for (const example of examples) expect(validator(example), pointer).toEqual([])
          }
        })
      }),
      propertySettings(5),
    )
  })

  it('has an example of fields that exist on the first viewer type', () => {
    const [example] = Object(valueAt(social, '/components/parameters/fields/schema/examples'))
    expect(example).toBe('id,name,photos.limit(2){id}')
    const graph = createGraph(createMemoryStore())
    expect(graph.explain({ type: 'user', fields: `${example}` }).scopes).toEqual(['user_photos'])
  })

  it('has an example of every error, in the response of its status', async () => {
    const reasons = Object(
      valueAt(
        social,
        `${schemaPointer('Error')}/properties/error/properties/error_data/properties/reason/enum`,
      ),
    )
    const described = findObjects(social.components).flatMap(([pointer]) =>
      pointer.startsWith('/responses/') && /\/examples\/\w+$/.test(pointer)
        ? [pointer.split('/').at(-1)]
        : [],
    )
    expect(described.toSorted()).toEqual([...reasons].toSorted())
    await withValidators(social, async validatorAt => {
      const validator = await validatorAt(schemaPointer('Error'))
      for (const [pointer, { value }] of findObjects(social.components))
        if (/^\/responses\/Errors\d+\/.*\/examples\/\w+$/.test(pointer)) expect(validator(value)).toEqual([])
      expect(
        validator({ error: { message: '', type: 'OAuthException', code: 1, fbtrace_id: '' } }),
      ).not.toEqual([])
    })
  })
})

const shop = defineSchema(
  {
    customer: node({
      description: 'Who buys.',
      fields: {
        name: field.string({ default: true, description: 'What to call them.' }),
        email: field.string({ scope: 'email', description: 'Where to write to.' }),
        fax: field.string({ deprecated: 'use email', removedIn: 'v2.0' }),
        phone: field.string({ since: 'v2.0' }),
        bank: field.ref('bank', { scope: 'money' }),
      },
      edges: {
        orders: edge('order', { order: 'chronological', scope: 'orders', description: 'What they bought.' }),
      },
    }),
    bank: node({}),
    order: node({}),
  },
  { versions: ['v1.0', 'v2.0'], viewers: ['customer'] },
)

describe('the content of an OpenAPI document', () => {
  const propertyOf = (name: string, version?: string) =>
    valueAt(
      createDocument(shop, version),
      `${schemaPointer('customer')}/properties/${escapePointerPart(name)}`,
    )

  it('includes the descriptions of types and fields', () => {
    expect(valueAt(createDocument(shop), `${schemaPointer('customer')}/description`)).toBe(
      'Who buys. Default fields: `name`, `id`.',
    )
    expect(propertyOf('name')).toEqual({ type: 'string', description: 'What to call them.' })
  })

  it('says what is first in the default order of an edge, by the kind of its values', () => {
    const book = node({})
    const orders = { small: { by: 'size', direction: 'ascending' } } as const
    const fields = { size: field.int({ required: true }) }
    const shelf = node({
      edges: {
        books: edge('book'),
        oldest: edge('book', { order: 'chronological' }),
        small: edge('book', { fields, orders, order: 'small' }),
        titles: edge('book', { positionKey: { kind: 'text' }, order: 'chronological' }),
      },
    })
    const library = defineSchema({ book, shelf }, { viewers: ['shelf'] })
    const descriptionOf = (name: string) =>
      valueAt(createDocument(library), `${schemaPointer('shelf')}/properties/${name}/description`)
    expect(['books', 'oldest', 'small', 'titles'].map(descriptionOf)).toEqual([
      'Newest first.',
      'Oldest first.',
      'Smallest value first.',
      'Smallest value first.',
    ])
  })

  it('includes the scope of a field, a ref and an edge, and its effect', () => {
    expect(propertyOf('email')).toMatchObject({
      description: 'Where to write to. Omitted without the scope `email`.',
      'x-scopes': ['email'],
    })
    expect(propertyOf('bank')).toMatchObject({ description: 'Rejected without the scope `money`.' })
    expect(propertyOf('orders')).toEqual({
      $ref: '#/components/schemas/order-list',
      description: 'What they bought. Oldest first. Rejected without the scope `orders`.',
      'x-scopes': ['orders'],
    })
    expect(valueAt(createDocument(shop), '/paths/~1me~1orders/get/x-scopes')).toEqual(['orders'])
  })

  it('includes the fields of its version, and which are deprecated', () => {
    expect(propertyOf('fax', 'v1.0')).toMatchObject({
      deprecated: true,
      description: 'Deprecated: use email',
    })
    expect(propertyOf('fax', 'v2.0')).toBeUndefined()
    expect(propertyOf('phone', 'v1.0')).toBeUndefined()
    expect(propertyOf('phone', 'v2.0')).toBeDefined()
    expect(valueAt(createDocument(shop, 'v1.0'), '/servers')).toEqual([
      { url: 'https://api.example/graph/v1.0' },
    ])
  })

  it('includes the limits of the handler', () => {
    const parameters = valueAt(createDocument(shop), '/components/parameters')
    expect(parameters).toMatchObject({
      fields: { schema: { maxLength: 8192 } },
      ids: { schema: { maxItems: 50 } },
      limit: { schema: { minimum: 0, default: 25 }, description: expect.stringContaining('100') },
      node_type: { schema: { enum: ['customer', 'bank', 'order'] } },
    })
  })
})
