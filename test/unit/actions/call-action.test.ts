import { describe, expect, it } from 'vitest'
import { ADA, createActionWorld, HIDDEN_PHOTO, MISSING, PHOTO, POST } from '../../helpers/action-world.ts'
import { errorOf, reasonOf } from '../../helpers/error-of.ts'

describe('callAction', () => {
  it('returns the id of the node that an action creates', async () => {
    const { graph, ada } = await createActionWorld()
    const { id } = await graph.callAction(ada, {
      id: 'me',
      action: 'feed.add',
      parameters: { message: 'Hello', photo: PHOTO },
    })
    const post = await graph.getNode(ada, { id, type: 'post', fields: 'message,from,photo' })
    expect(post).toMatchObject({ message: 'Hello', from: { id: ADA }, photo: { id: PHOTO } })
  })

  it('returns the node that the option fields selects', async () => {
    const { graph, ada } = await createActionWorld()
    const post = await graph.callAction(ada, {
      type: 'user',
      id: 'me',
      action: 'feed.add',
      parameters: { message: 'Hello' },
      fields: 'message,from{name}',
    })
    expect(post).toMatchObject({ message: 'Hello', from: { name: 'Ada' } })
  })

  it('returns success for an action without a result', async () => {
    const { graph, ada } = await createActionWorld()
    const parameters = { about: 'Countess' }
    expect(await graph.callAction(ada, { id: 'me', action: 'update', parameters })).toMatchObject({
      success: true,
    })
    expect(await graph.getMe(ada, { fields: 'about' })).toMatchObject({ about: 'Countess' })
  })

  it('returns the serialized fields of a result', async () => {
    const { graph, ada } = await createActionWorld()
    expect(await graph.callAction(ada, { id: 'me', action: 'upload' })).toEqual({
      upload_url: 'https://files.example/1',
      owner: ADA,
    })
  })

  it('gives one error for a hidden source and a missing one', async () => {
    const { graph, ada } = await createActionWorld()
    // A photo has no actions, which only callers who see it learn.
    const call = (id: string) =>
      errorOf(Reflect.apply(graph.callAction, undefined, [ada, { type: 'photo', id, action: 'nothing' }]))
    const hidden = await call(HIDDEN_PHOTO)
    const missing = await call(MISSING)
    expect(hidden.reason).toBe('node_not_found')
    expect(hidden.message.replace(HIDDEN_PHOTO, MISSING)).toBe(missing.message)
    expect((await call(PHOTO)).reason).toBe('field_not_found')
  })

  it('names the actions of the type in the error for a name that no action has', async () => {
    const { graph, ada } = await createActionWorld()
    const messageOf = async (type: string, id: string, action: string) =>
      (await errorOf(Reflect.apply(graph.callAction, undefined, [ada, { type, id, action }]))).message
    const ofPost = 'Actions of post: delete, likes.add, likes.remove'
    expect(await messageOf('post', POST, 'delet')).toBe(
      `(#100) Tried accessing nonexisting field (delet) on node type (post). ${ofPost}; did you mean delete?`,
    )
    expect(await messageOf('post', POST, 'update')).toBe(`Unsupported request. ${ofPost}`)
    expect(await messageOf('photo', PHOTO, 'likes.add')).toBe('Unsupported request. Actions of photo: none')
  })

  it('gives one error for a hidden, a missing and another node in a parameter', async () => {
    const { graph, ada } = await createActionWorld()
    const call = (photo: string) =>
      errorOf(graph.callAction(ada, { id: 'me', action: 'feed.add', parameters: { message: 'a', photo } }))
    const messages = await Promise.all([HIDDEN_PHOTO, MISSING, POST, 'forged'].map(call))
    expect(messages.map(({ reason }) => reason)).toEqual(Array.from(messages, () => 'invalid_parameter'))
    expect(new Set(messages.map(({ data }) => data.expected)).size).toBe(1)
  })

  it('reports all invalid parameters at once', async () => {
    const { graph, ada } = await createActionWorld()
    const { data } = await errorOf(
      graph.callAction(ada, {
        id: 'me',
        action: 'feed.add',
        // biome-ignore lint/suspicious/noExplicitAny: a call without types
        parameters: { message: 'a'.repeat(101), photo: HIDDEN_PHOTO, mesage: 'b' } as any,
      }),
    )
    expect(data.parameter).toBe('mesage')
    expect(data.parameters).toMatchObject([
      { parameter: 'mesage' },
      { parameter: 'message' },
      { parameter: 'photo' },
    ])
  })

  it('throws the errors in their order', async () => {
    const { graph, ada, grace } = await createActionWorld()
    // biome-ignore lint/suspicious/noExplicitAny: calls without types
    const call = (session: typeof ada, options: object) => reasonOf(graph.callAction(session, options as any))
    const unscoped = graph.session({ viewer: ADA, app: 'demo' })
    const wrong = { fields: 'nmae', parameters: { mesage: 1 } }
    expect(await call(ada, { id: 'Ada', action: 'nothing', ...wrong })).toBe('invalid_parameter')
    expect(await call(ada, { id: MISSING, action: 'nothing', ...wrong })).toBe('node_not_found')
    expect(await call(ada, { id: 'me', action: 'nothing', ...wrong })).toBe('field_not_found')
    expect(await call(ada, { id: 'me', action: 'friends.add', ...wrong })).toBe('method_not_supported')
    expect(await call(ada, { id: 'me', action: 'delete', ...wrong })).toBe('method_not_supported')
    expect(await call(unscoped, { id: 'me', action: 'feed.add', ...wrong })).toBe('field_not_found')
    expect(await call(unscoped, { id: 'me', action: 'feed.add', ...wrong, fields: 'message' })).toBe(
      'scope_missing',
    )
    expect(await call(grace, { id: ADA, action: 'feed.add', ...wrong, fields: 'message' })).toBe(
      'action_denied',
    )
    expect(await call(ada, { id: ADA, action: 'feed.add', ...wrong, fields: 'message' })).toBe(
      'invalid_parameter',
    )
    expect(await call(ada, { id: 'me', action: 'update', fields: 'name' })).toBe('invalid_parameter')
  })

  it.each([
    ['partial', { partial: true }],
    ['metadata', { metadata: true }],
    ['a misspelt option', { idempotencykey: 'key' }],
    ['an unknown type', { type: 'usr' }],
    ['an action that is no text', { action: 5 }],
    ['parameters that are no object', { parameters: ['Ada'] }],
  ])('throws a TypeError for %s', async (_name, option) => {
    const { graph, ada } = await createActionWorld()
    const options = { type: 'user', id: 'me', action: 'update', parameters: { about: 'A' }, ...option }
    await expect(Reflect.apply(graph.callAction, undefined, [ada, options])).rejects.toThrow(TypeError)
    expect((await graph.getMe(ada, { fields: 'about' })).about).toBeUndefined()
  })

  it('reports a failure of the action', async () => {
    const { graph, ada } = await createActionWorld()
    const error = await errorOf(graph.callAction(ada, { id: 'me', action: 'fail' }))
    expect(error).toMatchObject({ reason: 'action_failed', status: 409, message: 'You are a member.' })
    expect(error.toJSON().error).toMatchObject({ code: 100, error_data: { failure: 'already_member' } })
  })

  it('is a missing node after a repeated delete', async () => {
    const { graph, ada } = await createActionWorld()
    const remove = () => graph.callAction(ada, { type: 'post', id: POST, action: 'delete' })
    await remove()
    expect(await reasonOf(remove())).toBe('node_not_found')
  })
})

describe('callAction with a key', () => {
  const options = {
    id: 'me',
    action: 'feed.add',
    parameters: { message: 'Hi' },
    idempotencyKey: 'a key',
  } as const

  it('writes once', async () => {
    const { graph, ada } = await createActionWorld()
    const results = await Promise.all(Array.from({ length: 100 }, () => graph.callAction(ada, options)))
    expect(new Set(results.map(({ id }) => id)).size).toBe(1)
    const { data } = await graph.getEdge(ada, { id: 'me', edge: 'feed' })
    expect(data.filter(({ message }) => message === 'Hi')).toHaveLength(1)
  })

  it('rejects the key with other parameters', async () => {
    const { graph, ada } = await createActionWorld()
    await graph.callAction(ada, options)
    const error = await errorOf(graph.callAction(ada, { ...options, parameters: { message: 'Bye' } }))
    expect(error).toMatchObject({ reason: 'action_failed', status: 409, data: { failure: 'key_reused' } })
  })

  it('gives other viewers and sources other ids', async () => {
    const { graph, ada, grace } = await createActionWorld()
    const first = await graph.callAction(ada, options)
    const second = await graph.callAction(grace, options)
    expect(first.id).not.toBe(second.id)
  })
})
