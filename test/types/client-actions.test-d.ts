import { describe, expectTypeOf, it } from 'vitest'
import type { PublicId } from '../../src/base/ids.ts'
import { createClient } from '../../src/client/client.ts'
import type { ActionCalls } from '../../src/interface/action-calls.ts'
import type { schema, WorldActions } from '../helpers/action-world.ts'

const url = 'http://localhost'
const client = createClient<typeof schema, WorldActions>(url)

declare const graph: ActionCalls<typeof schema, WorldActions>

describe('the type of a client with actions', () => {
  it('infers the result of an action: an id, a node, its own fields or a success', () => {
    const feed = { type: 'user', id: 'me', action: 'feed.add', parameters: { message: 'x' } } as const
    expectTypeOf(client.callAction('t', feed)).resolves.toExtend<{ id: PublicId }>()
    expectTypeOf(client.callAction('t', { ...feed, fields: 'message,from{name}' })).resolves.toExtend<{
      id: PublicId
      message?: string
      from?: { id: PublicId; name?: string }
    }>()
    expectTypeOf(client.callAction('t', { type: 'user', id: '1', action: 'upload' })).resolves.toExtend<{
      upload_url?: string
    }>()
    expectTypeOf(client.callAction('t', { type: 'post', id: '1', action: 'likes.add' })).resolves.toExtend<{
      success: true
    }>()
  })

  it('accepts the same calls as a graph in-process', () => {
    expectTypeOf(graph.callAction).toExtend<typeof client.callAction>()
  })

  it('rejects actions, parameters and sessions that do not exist', () => {
    // @ts-expect-error: posts cannot be published on posts
    client.callAction('t', { type: 'post', id: '1', action: 'feed.add', parameters: { message: 'x' } })
    // @ts-expect-error: the parameter is misspelt
    client.callAction('t', { type: 'user', id: 'me', action: 'feed.add', parameters: { mesage: 'x' } })
    // @ts-expect-error: a required parameter is missing
    client.callAction('t', { type: 'user', id: 'me', action: 'feed.add', parameters: {} })
    // @ts-expect-error: a client accepts no session
    client.callAction({ viewer: '1' }, { type: 'post', id: '1', action: 'likes.add' })
  })

  it('has callAction only with the type of the actions', () => {
    expectTypeOf(createClient<typeof schema>(url)).not.toHaveProperty('callAction')
  })
})
