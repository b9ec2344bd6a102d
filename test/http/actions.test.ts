import { describe, expect, it } from 'vitest'
import { ADA, EVENT, GRACE, HIDDEN_PHOTO, PHOTO, POST } from '../helpers/action-world.ts'
import { reasonIn, serveActions } from './served-actions.ts'

const ID = expect.stringMatching(/^[1-9]\d{0,19}$/)

describe('an action over HTTP', () => {
  it('adds to an edge with POST, and responds with the id of its node', async () => {
    const { post, read } = await serveActions()
    const { id, ...rest } = await post('/me/feed', { message: 'Hello' })
    expect([id, rest]).toEqual([ID, {}])
    expect(await read(`/${id}?fields=message,from{id}`)).toEqual({ message: 'Hello', from: { id: ADA }, id })
    expect((await read('/me/feed?fields=id')).data).toContainEqual({ id })
  })

  it('responds with the node that fields describes, as it is after the write', async () => {
    const { post } = await serveActions()
    const fields = 'message,from{name},likes.summary(true).limit(0)'
    expect(await post('/me/feed', { message: 'Hello', fields })).toMatchObject({
      id: ID,
      message: 'Hello',
      from: { name: 'Ada' },
      likes: { summary: { total_count: 0 } },
    })
    expect(await post('/me/feed', { message: 'Hello', fields: '' })).toEqual({ id: ID })
  })

  it('responds with success or with its own result if it returns no node', async () => {
    const { post } = await serveActions()
    expect(await post(`/${POST}/likes`)).toEqual({ success: true })
    expect(await post('/me/upload')).toEqual({ upload_url: 'https://files.example/1', owner: ADA })
  })

  it('updates a node with POST and deletes it with DELETE, or with POST and the parameter method', async () => {
    const { post, read } = await serveActions()
    expect(await post(`/${ADA}`, { about: 'A person' })).toEqual({ success: true })
    expect(await read(`/${ADA}?fields=about`)).toEqual({ about: 'A person', id: ADA })
    expect(await read(`/${POST}`, { method: 'DELETE' })).toEqual({ success: true })
    expect(reasonIn(await read(`/${POST}`))).toBe('node_not_found')
    const { id } = await post('/me/feed', { message: 'Second' })
    expect(await post(`/${id}`, { method: 'delete' })).toEqual({ success: true })
    expect(reasonIn(await read(`/${id}`))).toBe('node_not_found')
  })

  it('removes from an edge with DELETE, and its target may be in the path, the query or a body', async () => {
    const { read, post, runs } = await serveActions()
    const publish = async () => (await post('/me/feed', { message: 'Hello' })).id
    const [inPath, inQuery, inBody] = [await publish(), await publish(), await publish()]
    expect(await read(`/me/feed/${inPath}`, { method: 'DELETE' })).toEqual({ success: true })
    expect(await read(`/me/feed?target=${inQuery}`, { method: 'DELETE' })).toEqual({ success: true })
    const body = new URLSearchParams({ target: inBody })
    expect(await read('/me/feed', { method: 'DELETE', body })).toEqual({ success: true })
    expect((await read('/me/feed?fields=id')).data).toEqual([{ id: POST }])
    const other = await read(`/me/feed/${POST}?target=${inBody}`, { method: 'DELETE' })
    expect(other.error.error_data).toMatchObject({ reason: 'invalid_parameter', parameter: 'target' })
    expect(runs().filter(name => name === 'feed.remove')).toHaveLength(3)
  })

  it('may have a name of its own, and may belong to a collection of root', async () => {
    const { post, read } = await serveActions()
    expect(await post('/me/task', { value: '1' })).toEqual({ id: ADA })
    const { id } = await post('/root/events', { title: 'Walk', start_time: '2026-05-01' })
    expect((await read('/root/events?fields=title')).data).toContainEqual({ title: 'Walk', id })
  })

  it('finds its source by the parameter id of the root path', async () => {
    const { post } = await serveActions()
    expect(await post(`/?id=${ADA}`, { about: 'A person' })).toEqual({ success: true })
  })

  it('has a response that no cache may keep, without an ETag and without a revision', async () => {
    const { sendAsAda } = await serveActions()
    for (const path of [`/${POST}/likes`, '/me/upload', '/me/task?fields=name']) {
      const { status, headers, text } = await sendAsAda(path, {
        method: 'POST',
        headers: { 'if-none-match': '*' },
      })
      expect(status).toBe(200)
      expect(headers.get('cache-control')).toBe('private, no-store')
      expect(headers.get('content-type')).toBe('application/json; charset=UTF-8')
      expect(headers.get('content-length')).toBe(`${Buffer.byteLength(text)}`)
      expect(headers.get('vary')).toBe('Authorization, kithgraph-links')
      expect(headers.has('etag')).toBe(false)
      expect(text).not.toContain('revision')
    }
  })

  it('has an indented response with pretty', async () => {
    const { sendAsAda } = await serveActions()
    const { text } = await sendAsAda(`/${POST}/likes?pretty=1`, { method: 'POST' })
    expect(text).toBe('{\n  "success": true\n}')
  })
})

describe('the parameters of an action', () => {
  it('may be split over the query and the body, in any encoding', async () => {
    const { read, postJson } = await serveActions()
    const multipart = new FormData()
    multipart.append('message', 'Hello')
    const bodies = [new URLSearchParams({ message: 'Hello' }), multipart]
    const query = '/me/feed?fields=message,tags&tags=["a","b"]'
    for (const body of bodies)
      expect(await read(query, { method: 'POST', body })).toMatchObject({
        message: 'Hello',
        tags: ['a', 'b'],
      })
    expect(await postJson(query, { message: 'Hello' })).toMatchObject({ message: 'Hello', tags: ['a', 'b'] })
    expect(await read('/me/feed?message=Hello', { method: 'POST' })).toEqual({ id: ID })
  })

  it('keep the values of a JSON body: null, numbers, lists and their texts', async () => {
    const { read, postJson, post } = await serveActions()
    await post('/me', { about: 'A person' })
    expect(await postJson('/me', { about: null })).toEqual({ success: true })
    expect(await read('/me?fields=about')).toEqual({ id: ADA })
    for (const value of [5, '5', null]) {
      const expected = value === null ? 'invalid_parameter' : undefined
      expect(reasonIn(await postJson('/me/task', { value }))).toBe(expected)
    }
    expect(await postJson('/me/feed?fields=tags', { message: 'x', tags: ['a,b', ''] })).toMatchObject({
      tags: ['a,b', ''],
    })
    expect(reasonIn(await postJson('/me/feed', { message: ['x'] }))).toBe('invalid_parameter')
  })

  it('name nodes that the viewer can see; a missing, hidden or forged one and one of another type give one error', async () => {
    const { post, runs } = await serveActions()
    const { id } = await post('/me/feed', { message: 'Hello', photo: PHOTO })
    expect(id).toEqual(ID)
    const errors = await Promise.all(
      ['404', HIDDEN_PHOTO, GRACE].map(photo => post('/me/feed', { message: 'Hello', photo })),
    )
    const comparable = errors.map(({ error: { fbtrace_id, ...error } }) =>
      JSON.stringify(error).replaceAll(/"(404|12|2)"|\\"(404|12|2)\\"/g, '"ID"'),
    )
    expect(new Set(comparable).size).toBe(1)
    expect(reasonIn(errors[0])).toBe('invalid_parameter')
    expect(runs()).toHaveLength(1)
  })

  it('are all named in the error if several are invalid', async () => {
    const { post } = await serveActions()
    const { error } = await post('/me/feed', { photo: '404', unknown: '1' })
    expect(error.error_data.reason).toBe('invalid_parameter')
    expect(error.error_data.parameter).toBe(error.error_data.parameters[0].parameter)
    const names = error.error_data.parameters.map(({ parameter }: { parameter: string }) => parameter)
    expect(names.toSorted()).toEqual(['message', 'photo', 'unknown'])
  })

  it.each([
    ['ids', { ids: ADA }, 'ids'],
    ['the key', { idempotency_key: 'k' }, 'idempotency_key'],
  ])('cannot be %s', async (_name, extra, parameter) => {
    const { post, runs } = await serveActions()
    const { error } = await post('/me/feed', { message: 'Hello', ...extra })
    expect(error.error_data).toMatchObject({ reason: 'invalid_parameter', parameter })
    if (parameter === 'idempotency_key') expect(error.message).toContain('header Idempotency-Key')
    expect(runs()).toEqual([])
  })

  it('cannot be files', async () => {
    const { read, runs } = await serveActions()
    const body = new FormData()
    body.append('message', 'Hello')
    body.append('source', new Blob(['x']), 'x.png')
    const { error } = await read('/me/feed', { method: 'POST', body })
    expect(error.error_data).toMatchObject({ reason: 'invalid_parameter', parameter: 'source' })
    expect(runs()).toEqual([])
  })

  it('do not include the parameters that every call has, which are ignored if the action does not use them', async () => {
    const { post } = await serveActions()
    const ignored = {
      partial: 'x',
      metadata: 'x',
      limit: 'x',
      summary: 'x',
      locale: 'de',
      _x: '1',
      callback: 'f',
    }
    expect(await post('/me/feed', { message: 'Hello', ...ignored })).toEqual({ id: ID })
  })
})

describe('a request that names no action', () => {
  it.each([
    ['a hidden source', 'POST', `/${HIDDEN_PHOTO}`, 'node_not_found'],
    ['a missing source', 'POST', '/404/likes', 'node_not_found'],
    ['a name that is neither an edge nor an action', 'POST', '/me/nothing', 'field_not_found'],
    ['an action of another type', 'POST', `/${POST}/task`, 'field_not_found'],
    ['an edge without this action', 'POST', '/me/friends', 'method_not_supported'],
    ['a node without this action', 'DELETE', '/me', 'method_not_supported'],
    ['a node without any action', 'POST', `/${EVENT}`, 'method_not_supported'],
    ['an action of the node with DELETE', 'DELETE', '/me/task', 'method_not_supported'],
    ['update in the path', 'POST', '/me/update', 'method_not_supported'],
    ['delete in the path', 'POST', `/${POST}/delete`, 'method_not_supported'],
    ['a target in the path of POST', 'POST', `/me/feed/${POST}`, 'method_not_supported'],
    ['no source', 'POST', '/', 'method_not_supported'],
    ['openapi.json', 'POST', '/openapi.json', 'method_not_supported'],
    ['debug_token', 'DELETE', '/debug_token', 'method_not_supported'],
    ['another method', 'PUT', '/me', 'method_not_supported'],
    ['another method', 'PATCH', '/me/feed', 'method_not_supported'],
  ])('fails: %s (%s %s)', async (_name, method, path, reason) => {
    const { read, runs } = await serveActions()
    expect(reasonIn(await read(path, { method }))).toBe(reason)
    expect(runs()).toEqual([])
  })

  it('gives the same error for a hidden and a missing source', async () => {
    const { post } = await serveActions()
    for (const suffix of ['', '/likes', '/nothing']) {
      const errors = await Promise.all([HIDDEN_PHOTO, '404'].map(id => post(`/${id}${suffix}`, { x: '1' })))
      const [hidden, missing] = errors.map(({ error: { fbtrace_id, ...error } }) => JSON.stringify(error))
      expect(hidden?.replaceAll(HIDDEN_PHOTO, '404')).toBe(missing)
    }
  })
})

describe('a request that is sent as GET or HEAD', () => {
  it('never runs an action, whatever its parameters, its body and its headers', async () => {
    const { sendAsAda, handler, token, runs } = await serveActions()
    for (const method of ['GET', 'HEAD', 'get'])
      for (const override of ['post', 'POST', 'delete', 'DELETE', 'put']) {
        const path = `/me/feed?method=${override}&message=Hello`
        expect((await sendAsAda(path, { method })).status).toBe(400)
        const headers = { authorization: `Bearer ${token}`, 'x-http-method-override': override }
        await handler.respond({ method, url: path, headers, body: 'message=Hello' })
        await handler.respond({ method, url: '/me/feed?message=Hello', headers, body: `method=${override}` })
      }
    expect(runs()).toEqual([])
  })
})

describe('the errors of an action', () => {
  it('come in this order: token, syntax, source, name, fields, scope, policy, parameters', async () => {
    const { send, graph, token, runs } = await serveActions()
    const weakToken = await graph.tokens.issue({ viewer: GRACE, app: 'demo' })
    const deniedToken = await graph.tokens.issue({ viewer: GRACE, app: 'demo', scopes: ['publish'] })
    const reasonOf = async (path: string, bearer: string) => {
      const headers = { authorization: `Bearer ${bearer}` }
      return reasonIn(JSON.parse((await send(path, { method: 'POST', headers })).text))
    }
    expect(await reasonOf('/404/feed?ids=1&fields=(&unknown=1', 'wrong')).toBe('token_invalid')
    expect(await reasonOf('/404/feed?fields=(&unknown=1', weakToken)).toBe('invalid_syntax')
    expect(await reasonOf('/404/feed?fields=nothing&unknown=1', weakToken)).toBe('node_not_found')
    expect(await reasonOf(`/${ADA}/nothing?fields=nothing&unknown=1`, weakToken)).toBe('field_not_found')
    expect(await reasonOf(`/${ADA}/friends?fields=nothing&unknown=1`, weakToken)).toBe('method_not_supported')
    expect(await reasonOf(`/${ADA}/feed?fields=nothing&unknown=1`, weakToken)).toBe('field_not_found')
    expect(await reasonOf(`/${ADA}/feed?unknown=1`, weakToken)).toBe('scope_missing')
    expect(await reasonOf(`/${ADA}/feed?unknown=1`, deniedToken)).toBe('action_denied')
    expect(await reasonOf(`/${ADA}/feed?unknown=1`, token)).toBe('invalid_parameter')
    expect(runs()).toEqual([])
  })

  it('have the status, the failure and the data of an ActionError, and are not transient', async () => {
    const { sendAsAda } = await serveActions()
    const { status, text } = await sendAsAda('/me/fail', { method: 'POST' })
    expect(status).toBe(409)
    expect(JSON.parse(text).error).toEqual({
      message: 'You are a member.',
      type: 'OAuthException',
      code: 100,
      error_data: { reason: 'action_failed', failure: 'already_member', data: { since: 2020 } },
      fbtrace_id: expect.any(String),
    })
  })

  it('show nothing of another error that run throws', async () => {
    const { effects, sendAsAda, errors } = await serveActions()
    const cause = new Error('password of the database')
    effects.task = () => Promise.reject(cause)
    const { status, text } = await sendAsAda('/me/task', { method: 'POST' })
    expect([status, reasonIn(JSON.parse(text))]).toEqual([500, 'internal_error'])
    expect(text).not.toContain('password')
    expect(errors.at(-1)?.cause).toBe(cause)
  })

  it('contain the id of the node if the action was carried out and the read after it failed', async () => {
    const { effects, graph, sendAsAda, token } = await serveActions()
    effects.task = () => graph.tokens.revoke(token)
    const { text } = await sendAsAda('/me/task?fields=name', { method: 'POST' })
    const { error } = JSON.parse(text)
    expect(error).toMatchObject({ error_data: { reason: 'token_revoked' }, original_response: { id: ADA } })
    expect(error.is_transient).toBeUndefined()
  })
})

describe('an idempotency key', () => {
  const publish = { method: 'POST', body: new URLSearchParams({ message: 'Hello' }).toString() }
  const form = { 'content-type': 'application/x-www-form-urlencoded' }

  it('makes repeated requests write once, even at the same time', async () => {
    const { read } = await serveActions()
    const headers = { ...form, 'Idempotency-Key': 'key 1~' }
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => read('/me/feed', { ...publish, headers })),
    )
    expect(new Set(responses.map(({ id }) => id)).size).toBe(1)
    expect((await read('/me/feed?fields=id')).data).toHaveLength(2)
    const other = await read('/me/feed?message=Other', {
      method: 'POST',
      headers: { 'idempotency-key': 'key 1~' },
    })
    expect(other.error.error_data).toMatchObject({ reason: 'action_failed', failure: 'key_reused' })
  })

  it.each(['', 'ü', 'a\tb', 'x'.repeat(256)])(
    'must have 1 to 255 printable ASCII characters: %j',
    async key => {
      const { handler, token, runs } = await serveActions()
      const headers = { authorization: `Bearer ${token}`, ...form, 'idempotency-key': key }
      const { body } = await handler.respond({ ...publish, url: '/me/feed', headers })
      expect(JSON.parse(body ?? '').error.error_data).toMatchObject({
        reason: 'invalid_parameter',
        parameter: 'Idempotency-Key',
      })
      expect(runs()).toEqual([])
    },
  )

  it('is rejected by an action that is not idempotent, and ignored by a read', async () => {
    const { read } = await serveActions()
    const headers = { 'Idempotency-Key': 'k' }
    expect(reasonIn(await read('/me/fail', { method: 'POST', headers }))).toBe('invalid_parameter')
    expect(await read('/me', { headers })).toEqual({ name: 'Ada', id: ADA })
  })
})

describe('the metadata of a node', () => {
  it('names the actions of its type', async () => {
    const { read } = await serveActions()
    const { metadata } = await read(`/${POST}?metadata=1`)
    expect(metadata.actions).toEqual(['delete', 'likes.add', 'likes.remove'])
    expect((await read(`/${EVENT}?metadata=1`)).metadata.actions).toEqual([])
  })
})
