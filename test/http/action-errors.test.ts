import { describe, expect, it } from 'vitest'
import { ADA, EVENT, HIDDEN_PHOTO, POST } from '../helpers/action-world.ts'
import { reasonIn, serveActions } from './served-actions.ts'

const MISSING = '404'

describe('a request for an action that does not exist', () => {
  const ACTIONS_OF_USER =
    'Actions of user: update (POST /me), feed.add (POST /me/feed), feed.remove (DELETE /me/feed), task (POST /me/task), fail (POST /me/fail), upload (POST /me/upload)'

  it.each([
    ['/me/feed.add', 'POST', `Unsupported post request. ${ACTIONS_OF_USER}`],
    ['/me/update', 'POST', `Unsupported post request. ${ACTIONS_OF_USER}`],
    ['/me/friends', 'POST', `Unsupported post request. ${ACTIONS_OF_USER}`],
    ['/me/task', 'DELETE', `Unsupported delete request. ${ACTIONS_OF_USER}`],
    ['/me', 'DELETE', `Unsupported delete request. ${ACTIONS_OF_USER}`],
    [
      `/${POST}`,
      'POST',
      `Unsupported post request. Actions of post: delete (DELETE /${POST}), likes.add (POST /${POST}/likes), likes.remove (DELETE /${POST}/likes)`,
    ],
    [`/${EVENT}`, 'POST', 'Unsupported post request. Actions of event: none'],
    [
      '/me/tsak',
      'POST',
      `(#100) Tried accessing nonexisting field (tsak) on node type (user). ${ACTIONS_OF_USER}; did you mean task?`,
    ],
  ])('names the actions of the type and their requests: %s %s', async (path, method, message) => {
    const { read, runs } = await serveActions()
    const { error } = await read(path, { method })
    expect(error.message).toBe(message)
    expect(runs()).toEqual([])
  })

  it('names no action if the viewer does not see the source', async () => {
    const { read } = await serveActions()
    const hidden = await read(`/${HIDDEN_PHOTO}/likes.add`, { method: 'POST' })
    const missing = await read(`/${MISSING}/likes.add`, { method: 'POST' })
    expect(reasonIn(hidden)).toBe('node_not_found')
    expect(hidden.error.message.replace(HIDDEN_PHOTO, MISSING)).toBe(missing.error.message)
  })
})

describe('a misspelt name in a call', () => {
  it.each<[string, { readonly [name: string]: string }]>([
    ['/me/feed', { mesage: 'Hello' }],
    ['/me/feed?fields=mesage', { message: 'Hello' }],
  ])('gets an error with a suggestion: %s %j', async (path, body) => {
    const { postJson, post, runs } = await serveActions()
    for (const { error } of [await postJson(path, body), await post(path, body)])
      expect(error.message).toMatch(/\bmesage\b.*; did you mean message\?$/)
    expect(runs()).toEqual([])
  })
})

describe('a body of JSON', () => {
  it.each(['{"message":"a=b&c"}', ' ["Hello"]'])(
    'that is sent as a form gets an error that names the content type: %s',
    async body => {
      const { read, runs } = await serveActions()
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const { error } = await read('/me/feed', { method: 'POST', headers, body })
      expect(error.message).toBe(
        '(#100) Invalid parameter "body": must be a form, or JSON with "Content-Type: application/json"; received JSON that was sent as a form',
      )
      expect(runs()).toEqual([])
    },
  )
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
