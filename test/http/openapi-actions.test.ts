import { createGraph, defineSchema, node, parameter } from 'kithgraph'
import { actionsOf } from 'kithgraph/actions'
import { createHandler } from 'kithgraph/http'
import { createMemoryStore } from 'kithgraph/memory'
import { beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/base/json.ts'
import { EVENT, POST } from '../helpers/action-world.ts'
import {
  createDocumentValidator,
  escapePointerPart,
  responsePointer,
  schemaPointer,
  valueAt,
  withValidators,
} from './openapi-validator.ts'
import { serveActions } from './served-actions.ts'

const world = await serveActions()
let document: JsonObject
beforeAll(async () => {
  document = await world.read('/openapi.json')
})

const operationAt = (path: string, method: string) =>
  Object(valueAt(document, `/paths/${escapePointerPart(path)}/${method}`))

describe('the OpenAPI document of a graph with actions', () => {
  it('is valid', async () => {
    const validateDocument = await createDocumentValidator()
    expect(validateDocument(document)).toEqual([])
  })

  it('has an operation for each action, and no others that write', () => {
    const operations = Object.entries(Object(document.paths)).flatMap(([path, item]) =>
      Object.keys(Object(item))
        .filter(method => method !== 'get')
        .map(method => `${method} ${path} ${operationAt(path, method).operationId}`),
    )
    expect(operations.toSorted()).toEqual(
      [
        'post / runBatch',
        'post /root/events addRoot_events',
        'post /me updateMe',
        'post /{id} updateNode',
        'delete /{id} deleteNode',
        ...['me', '{id}'].flatMap(source => {
          const word = source === 'me' ? 'Me' : 'Node'
          return [
            `post /${source}/feed add${word}_feed`,
            `delete /${source}/feed remove${word}_feed`,
            `delete /${source}/feed/{target} removeEntry${word}_feed`,
            `post /${source}/task run${word}_task`,
            `post /${source}/fail run${word}_fail`,
            `post /${source}/upload run${word}_upload`,
          ]
        }),
        'post /{id}/likes addNode_likes',
        'delete /{id}/likes removeNode_likes',
      ].toSorted(),
    )
  })

  it('describes the parameters of an action', () => {
    expect(valueAt(document, schemaPointer('user.feed.add-parameters'))).toMatchObject({
      type: 'object',
      required: ['message'],
      properties: {
        message: { type: 'string', maxLength: 100 },
        photo: {
          type: 'string',
          pattern: '^(me|[0-9]{1,20})$',
          description: 'The id of a node of type photo, or `me` for the viewer.',
        },
        tags: { type: 'array', items: { type: 'string' }, maxItems: 5 },
      },
    })
    expect(valueAt(document, schemaPointer('user.update-parameters/properties/about'))).toEqual({
      anyOf: [{ type: 'string', maxLength: 100 }, { type: 'null' }],
    })
    const { requestBody, ...operation } = operationAt('/me/feed', 'post')
    expect(requestBody.required).toBe(true)
    expect(operation['x-scopes']).toEqual(['publish'])
    expect(operation.description).toContain('Publishes a post.')
    expect(operationAt('/me/feed/{target}', 'delete').requestBody.required).toBe(false)
  })

  it('describes the values of a parameter after its own description', async () => {
    const schema = defineSchema({ user: node({}), page: node({}) })
    const parameters = {
      to: parameter.node(['user', 'page'], { description: 'Who receives it.' }),
      due: parameter.datetime({ description: 'When it must be back.' }),
    }
    const move = actionsOf(schema)('user', 'move', { policy: 'anyone', parameters, run: () => undefined })
    const handler = createHandler(createGraph(createMemoryStore(), { schema, actions: [move] }))
    const own = await (await handler(new Request('https://api.example/openapi.json'))).json()
    expect(valueAt(own, schemaPointer('user.move-parameters/properties'))).toMatchObject({
      to: { description: 'Who receives it. The id of a node of type user or page, or `me` for the viewer.' },
      due: { description: 'When it must be back. A time in ISO 8601.' },
    })
    expect(valueAt(own, '/paths/~1me~1move/post/description')).toBe('- user')
  })

  it('describes the key, the failures and the responses without an ETag', () => {
    const { parameters, responses } = operationAt('/me/feed', 'post')
    expect(parameters).toContainEqual({ $ref: '#/components/parameters/Idempotency-Key' })
    expect(operationAt('/me/fail', 'post').parameters).not.toContainEqual({
      $ref: '#/components/parameters/Idempotency-Key',
    })
    expect(operationAt('/me/fail', 'post')['x-failures']).toEqual(['already_member'])
    expect(operationAt('/me/fail', 'post').description).toContain('Failures: `already_member`.')
    expect(operationAt('/me/feed', 'post')).not.toHaveProperty('x-failures')
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['200', '403', '404', '409', '429', '503']))
    expect(responses).not.toHaveProperty('304')
    expect(responses['200'].headers).not.toHaveProperty('ETag')
  })

  it('describes the responses that the handler sends', async () => {
    const calls = [
      ['/me/feed', 'post', await world.post('/me/feed', { message: 'x' })],
      ['/me/feed', 'post', await world.post('/me/feed', { message: 'x', fields: 'message,from{name}' })],
      ['/me/upload', 'post', await world.post('/me/upload')],
      ['/{id}/likes', 'post', await world.post(`/${POST}/likes`)],
      ['/{id}/likes', 'delete', await world.read(`/${POST}/likes`, { method: 'DELETE' })],
    ] as const
    await withValidators(document, async validatorAt => {
      for (const [path, method, body] of calls)
        expect((await validatorAt(responsePointer(path, method)))(body), path).toEqual([])
      const metadata = (await world.read(`/${EVENT}?metadata=1`)).metadata
      expect((await validatorAt(schemaPointer('Metadata')))(metadata)).toEqual([])
    })
  })
})
