import fc from 'fast-check'
import { createGraph, defineSchema, edge, field, node, socialSchema } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { VERSIONS } from '../helpers/naive-graph/world.ts'
import { schemaOf } from '../helpers/open-world.ts'
import { schemaSpec } from '../helpers/schema-arbitraries.ts'
import { settings } from '../property/settings.ts'
import {
  documentJudge,
  documentOf,
  escaped,
  objectsIn,
  schemaAt,
  valueAt,
  withJudges,
} from './openapi-judge.ts'

const social = documentOf(socialSchema)

/** The operations of a document, each with its path. */
const operationsOf = (document: object) =>
  objectsIn(valueAt(document, '/paths')).filter(([, object]) => 'operationId' in object)

describe('the document of a schema', () => {
  it('is sound OpenAPI 3.1', async () => {
    const judge = await documentJudge()
    expect(judge(social)).toEqual([])
    expect(judge({ ...social, openapi: '3.0.0' })).not.toEqual([])
  })

  it('is so for any schema in any version, and refers to nothing that is not there', async () => {
    const judge = await documentJudge()
    fc.assert(
      fc.property(schemaSpec, fc.constantFrom(...VERSIONS), (spec, version) => {
        const document = documentOf(schemaOf(spec), version)
        expect(judge(document)).toEqual([])
        for (const [pointer, object] of objectsIn(document)) {
          if (typeof object.$ref !== 'string') continue
          expect(valueAt(document, object.$ref.slice(1)), `${pointer}: ${object.$ref}`).toBeDefined()
        }
      }),
      settings(15),
    )
  })

  it('is the same text for the same schema', () => {
    fc.assert(
      fc.property(schemaSpec, spec => {
        expect(JSON.stringify(documentOf(schemaOf(spec)))).toBe(JSON.stringify(documentOf(schemaOf(spec))))
      }),
      settings(20),
    )
  })

  it('has a path for each edge of the viewer, of a node and of several nodes', () => {
    expect(Object.keys(Object(social.paths))).toMatchInlineSnapshot(`
      [
        "/me",
        "/{id}",
        "/",
        "/me/photos",
        "/me/posts",
        "/me/feed",
        "/me/friends",
        "/me/likes",
        "/me/groups",
        "/me/accounts",
        "/{id}/photos",
        "/{id}/posts",
        "/{id}/feed",
        "/{id}/friends",
        "/{id}/likes",
        "/{id}/groups",
        "/{id}/accounts",
        "/{id}/members",
        "/{id}/comments",
        "/photos",
        "/posts",
        "/feed",
        "/friends",
        "/likes",
        "/groups",
        "/accounts",
        "/members",
        "/comments",
        "/me/photos/{target}",
        "/me/posts/{target}",
        "/me/feed/{target}",
        "/me/friends/{target}",
        "/me/likes/{target}",
        "/me/groups/{target}",
        "/me/accounts/{target}",
        "/{id}/photos/{target}",
        "/{id}/posts/{target}",
        "/{id}/feed/{target}",
        "/{id}/friends/{target}",
        "/{id}/likes/{target}",
        "/{id}/groups/{target}",
        "/{id}/accounts/{target}",
        "/{id}/members/{target}",
        "/{id}/comments/{target}",
        "/me/picture",
        "/{id}/picture",
        "/me/permissions",
        "/debug_token",
      ]
    `)
  })

  it('names each operation once, and declares what its path is made of', () => {
    const operations = operationsOf(social)
    const ids = operations.map(([, { operationId }]) => operationId)
    expect(new Set(ids).size).toBe(ids.length)
    for (const [pointer, { parameters }] of operations) {
      const asksForId = objectsIn(parameters).some(([, { $ref }]) => $ref === '#/components/parameters/id')
      expect(asksForId, pointer).toBe(pointer.includes('{id}'))
    }
  })

  it('has examples that fit what they are examples of', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.constant(socialSchema), schemaSpec.map(schemaOf)), async schema => {
        const document = documentOf(schema)
        await withJudges(document, async judgeAt => {
          for (const [pointer, { examples }] of objectsIn(document)) {
            if (!Array.isArray(examples)) continue
            const judge = await judgeAt(pointer)
            for (const example of examples) expect(judge(example), pointer).toEqual([])
          }
        })
      }),
      settings(5),
    )
  })

  it('has as its example of fields what the first viewer can be asked for', () => {
    const [example] = Object(valueAt(social, '/components/parameters/fields/schema/examples'))
    expect(example).toBe('id,name,photos.limit(2){id}')
    const graph = createGraph(createMemoryStore())
    expect(graph.explain({ type: 'user', fields: `${example}` }).scopes).toEqual(['user_photos'])
  })

  it('has an example of every fault, each in the response of its status', async () => {
    const reasons = Object(
      valueAt(social, `${schemaAt('Fault')}/properties/error/properties/error_data/properties/reason/enum`),
    )
    const told = objectsIn(social.components).flatMap(([pointer]) =>
      pointer.startsWith('/responses/') && /\/examples\/\w+$/.test(pointer)
        ? [pointer.split('/').at(-1)]
        : [],
    )
    expect(told.toSorted()).toEqual([...reasons].toSorted())
    await withJudges(social, async judgeAt => {
      const judge = await judgeAt(schemaAt('Fault'))
      for (const [pointer, { value }] of objectsIn(social.components))
        if (/^\/responses\/Faults\d+\/.*\/examples\/\w+$/.test(pointer)) expect(judge(value)).toEqual([])
      expect(judge({ error: { message: '', type: 'OAuthException', code: 1, fbtrace_id: '' } })).not.toEqual(
        [],
      )
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

describe('what a document tells', () => {
  const propertyOf = (name: string, version?: string) =>
    valueAt(documentOf(shop, version), `${schemaAt('customer')}/properties/${escaped(name)}`)

  it('is what the schema says of types and fields', () => {
    expect(valueAt(documentOf(shop), `${schemaAt('customer')}/description`)).toBe(
      'Who buys. Fields where none are asked for: `name`, `id`.',
    )
    expect(propertyOf('name')).toEqual({ type: 'string', description: 'What to call them.' })
  })

  it('is which scope a field, a ref and an edge need, and what happens without it', () => {
    expect(propertyOf('email')).toMatchObject({
      description: 'Where to write to. Left out without the scope `email`.',
      'x-scopes': ['email'],
    })
    expect(propertyOf('bank')).toMatchObject({ description: 'Refused without the scope `money`.' })
    expect(propertyOf('orders')).toEqual({
      $ref: '#/components/schemas/order-list',
      description: 'What they bought. Oldest first. Refused without the scope `orders`.',
      'x-scopes': ['orders'],
    })
    expect(valueAt(documentOf(shop), '/paths/~1me~1orders/get/x-scopes')).toEqual(['orders'])
  })

  it('is what its version has, and what is deprecated in it', () => {
    expect(propertyOf('fax', 'v1.0')).toMatchObject({
      deprecated: true,
      description: 'Deprecated: use email',
    })
    expect(propertyOf('fax', 'v2.0')).toBeUndefined()
    expect(propertyOf('phone', 'v1.0')).toBeUndefined()
    expect(propertyOf('phone', 'v2.0')).toBeDefined()
    expect(valueAt(documentOf(shop, 'v1.0'), '/servers')).toEqual([{ url: 'https://api.example/graph/v1.0' }])
  })

  it('is the limits of the service', () => {
    const parameters = valueAt(documentOf(shop), '/components/parameters')
    expect(parameters).toMatchObject({
      fields: { schema: { maxLength: 8192 } },
      ids: { schema: { maxItems: 50 } },
      limit: { schema: { minimum: 0, default: 25 }, description: expect.stringContaining('100') },
      node_type: { schema: { enum: ['customer', 'bank', 'order'] } },
    })
  })
})
