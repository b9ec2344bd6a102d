import { describe, expect, it } from 'vitest'
import { ADA, HIDDEN_PHOTO, POST } from '../helpers/action-world.ts'
import { reasonIn, serveActions } from './served-actions.ts'

const MISSING = '404'

describe('a request for an action that does not exist', () => {
  it.each([
    [
      '/me/feed.add',
      'POST',
      'Unsupported post request. The request of the action feed.add is POST /{id}/feed',
    ],
    [
      '/me/feed.remove',
      'POST',
      'Unsupported post request. The request of the action feed.remove is DELETE /{id}/feed',
    ],
    ['/me/update', 'POST', 'Unsupported post request. The request of the action update is POST /{id}'],
    [`/${POST}/delete`, 'POST', 'Unsupported post request. The request of the action delete is DELETE /{id}'],
    ['/me/task', 'DELETE', 'Unsupported delete request. The request of the action task is POST /{id}/task'],
    ['/me/friends', 'POST', 'Unsupported post request. friends of user has no such action'],
    ['/me/friends.add', 'POST', 'Unsupported post request. friends.add of user has no such action'],
    ['/me', 'DELETE', 'Unsupported delete request. The type user has no such action'],
  ])('names the request of an action with the name in its path: %s %s', async (path, method, message) => {
    const { read, runs } = await serveActions()
    const { error } = await read(path, { method })
    expect([error.error_data.reason, error.message]).toEqual(['method_not_supported', message])
    expect(runs()).toEqual([])
  })

  it('names no request if the viewer does not see the source', async () => {
    const { read } = await serveActions()
    const hidden = await read(`/${HIDDEN_PHOTO}/likes.add`, { method: 'POST' })
    const missing = await read(`/${MISSING}/likes.add`, { method: 'POST' })
    expect(reasonIn(hidden)).toBe('node_not_found')
    expect(hidden.error.message.replace(HIDDEN_PHOTO, MISSING)).toBe(missing.error.message)
  })
})

describe('the error for a source that is missing or hidden', () => {
  it.each(['POST', 'DELETE'])('begins with the words of the protocol for the method: %s', async method => {
    const { read } = await serveActions()
    for (const id of [MISSING, HIDDEN_PHOTO]) {
      const { error } = await read(`/${id}`, { method })
      expect(error.message).toBe(
        `Unsupported ${method.toLowerCase()} request. The node ${id} does not exist, is not visible, or is not of the requested type`,
      )
    }
  })
})

describe('the result of an action', () => {
  const UPLOAD_LENGTH = JSON.stringify({ upload_url: 'https://files.example/1', owner: ADA }).length

  it('counts as a response, alone and together with the other responses of a batch', async () => {
    const accepted = await serveActions({ limits: { response: UPLOAD_LENGTH } })
    expect(await accepted.post('/me/upload')).toMatchObject({ owner: ADA })
    const upload = { method: 'POST', relative_url: 'me/upload' }
    const [first, second] = await accepted.batch([upload, upload])
    expect([first?.code, second?.code]).toEqual([200, 400])
    const { post, runs, errors } = await serveActions({ limits: { response: UPLOAD_LENGTH - 1 } })
    const { error } = await post('/me/upload')
    expect(error.error_data).toEqual({ reason: 'response_too_large', limit: UPLOAD_LENGTH - 1 })
    expect(error.is_transient).toBeUndefined()
    expect([runs(), errors.map(({ reason }) => reason)]).toEqual([['upload'], ['response_too_large']])
  })
})
