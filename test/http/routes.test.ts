import { describe, expect, it } from 'vitest'
import { ADA, ALAN, ENGINE, GRACE, NEWEST_PHOTO, NOBODY } from '../helpers/world.ts'
import { createFormRequest, createJsonRequest, parseJson, serveWorld } from './served-world.ts'

const { sendAsAda, read, reasonOf, send, graph, token } = await serveWorld()

const ada = { name: 'Ada Lovelace', id: ADA }

describe('the path of a URL', () => {
  it('is me or an id, with an optional edge', async () => {
    expect(await read('/me')).toEqual(ada)
    expect(await read(`/${GRACE}`)).toEqual({ name: 'Grace Hopper', id: GRACE })
    expect((await read('/me/friends')).data).toEqual([
      { name: 'Alan Turing', id: ALAN },
      { name: 'Grace Hopper', id: GRACE },
    ])
    expect((await read(`/${ADA}/friends`)).data).toHaveLength(2)
  })

  it('leads to the same bytes as the in-process call if links are relative', async () => {
    const call = { fields: 'name,photos.limit(2){from,comments.limit(1).summary(true){message}}' }
    const { text } = await sendAsAda(`/me?fields=${encodeURIComponent(call.fields)}`, {
      headers: { 'kithgraph-links': 'relative' },
    })
    expect(text).toBe(JSON.stringify(await graph.getMe(token, call)))
  })

  it('can have additional slashes', async () => {
    for (const path of ['/me/', '/v1.0/me/', '//me', '/v1.0//me//']) expect(await read(path)).toEqual(ada)
  })

  it('can be percent-encoded', async () => {
    expect(await read('/%6De')).toEqual(ada)
    expect((await read(`/${ADA}/%66riends`)).data).toHaveLength(2)
  })

  it('causes an error that names the unknown part', async () => {
    const { status, text } = await sendAsAda('/me/friends/bogus/more')
    expect(status).toBe(400)
    expect(JSON.parse(text).error).toMatchObject({
      message: 'Unknown path components: /bogus/more',
      code: 2500,
      error_data: { reason: 'path_not_found', path: '/bogus/more' },
    })
  })

  it('causes an error if the node or the edge does not exist', async () => {
    expect(await reasonOf(`/${NOBODY}`)).toBe('node_not_found')
    expect(await reasonOf(`/${ADA}/fiends`)).toBe('field_not_found')
    expect(await reasonOf('/nobody')).toBe('invalid_parameter')
  })

  it('causes the error "Unsupported get request" if it names no node, or one that does not exist', async () => {
    for (const path of ['/', '/v1.0', '/v1.0/'])
      expect((await read(path)).error).toMatchObject({
        message: expect.stringMatching(/^Unsupported get request\. /),
        type: 'GraphMethodException',
        code: 100,
      })
    expect((await read('/999')).error.message).toMatch(/^Unsupported get request\. /)
  })
})

describe('the parameter ids', () => {
  it('returns each node with the requested id as its key', async () => {
    for (const ids of [`${GRACE},me`, JSON.stringify([GRACE, 'me'])]) {
      expect(await read(`/?ids=${encodeURIComponent(ids)}&fields=id`)).toEqual({
        [GRACE]: { id: GRACE },
        me: { id: ADA },
      })
    }
  })

  it('works with every form of the root path', async () => {
    for (const root of ['/', '/v1.0', '/v1.0/', '']) {
      expect(await read(`${root}?ids=${GRACE}&fields=id`)).toEqual({ [GRACE]: { id: GRACE } })
    }
  })

  it('reads an edge of several nodes', async () => {
    const response = await read(`/likes?ids=${ADA},${NEWEST_PHOTO}&fields=id`)
    expect(Object.keys(response).toSorted()).toEqual([ADA, NEWEST_PHOTO])
    expect(response[ADA].data).toEqual([{ id: ENGINE }])
    expect(response[NEWEST_PHOTO].data).toEqual([{ id: ALAN }, { id: GRACE }])
  })

  it('is rejected if it is empty, or together with another id', async () => {
    for (const path of ['/?ids=', '/?ids=1,', '/?ids=[]', '/?ids=1&id=1', `/${ADA}/likes?ids=1`, '/?ids=[1]'])
      expect(await reasonOf(path)).toBe('invalid_parameter')
  })

  it('rejects more than 50 ids', async () => {
    const ids = Array.from({ length: 51 }, (_, index) => index + 1)
    expect(await reasonOf(`/?ids=${ids}`)).toBe('too_many_ids')
  })

  it('fails as a whole for one missing node, unless `partial` is set', async () => {
    expect(await reasonOf(`/?ids=${GRACE},${NOBODY}`)).toBe('node_not_found')
    const response = await read(`/?ids=${GRACE},${NOBODY}&partial=1&fields=id`)
    expect(response).toMatchObject({ [GRACE]: { id: GRACE }, __debug__: { messages: [{ type: 'warning' }] } })
  })

  it('can be written as `id` for one node', async () => {
    expect(await read(`/?id=${GRACE}&fields=id`)).toEqual({ id: GRACE })
    expect(await read('/v1.0?id=me&fields=id')).toEqual({ id: ADA })
  })
})

describe('the parameter `fields`', () => {
  const response = { photos: { data: [{ id: NEWEST_PHOTO }] }, name: 'Ada Lovelace', id: ADA }
  const expression = 'photos.limit(1){id},name'

  it('accepts an expression, raw or percent-encoded', async () => {
    for (const text of [expression, encodeURIComponent(expression), expression.replace(',', ',%20')])
      expect(await read(`/me?fields=${text}`)).toMatchObject(response)
  })

  it('accepts a JSON array of expressions', async () => {
    for (const list of [['photos.limit(1){id}', 'name'], [expression]])
      expect(await read(`/me?fields=${encodeURIComponent(JSON.stringify(list))}`)).toMatchObject(response)
    expect(
      await read('/me', createJsonRequest({ method: 'get', fields: ['photos.limit(1){id}', 'name'] })),
    ).toMatchObject(response)
  })

  it('selects the default fields if it is empty', async () => {
    expect(await read('/me?fields=')).toEqual(ada)
    expect(await read('/me?fields')).toEqual(ada)
  })

  it('causes the errors of the graph if it is invalid', async () => {
    expect(await reasonOf('/me?fields=nmae')).toBe('field_not_found')
    expect(await reasonOf('/me?fields=a,,b')).toBe('invalid_syntax')
    expect(await reasonOf('/me?fields=name,name')).toBe('duplicate_name')
    expect(await reasonOf('/me?fields=[1]')).toBe('invalid_parameter')
  })
})

describe('the parameters of a URL', () => {
  it('select a page by limit, order and cursors, and request its summary', async () => {
    const page = await read('/me/photos?limit=2&order=chronological&summary=1&fields=id')
    expect(page.data).toEqual([{ id: '95' }, { id: '96' }])
    expect(page.summary).toEqual({ order: 'chronological', total_count: 60 })
    const next = await read(
      `/me/photos?limit=1&order=chronological&fields=id&after=${page.paging.cursors.after}`,
    )
    expect(next.data).toEqual([{ id: '97' }])
    const before = await read(
      `/me/photos?limit=1&order=chronological&fields=id&before=${page.paging.cursors.after}`,
    )
    expect(before.data).toEqual([{ id: '95' }])
  })

  it('accept times as ISO text and as seconds', async () => {
    const { data } = await read('/me/photos?since=2014-08-03T17:41:09Z&until=1407087669&fields=id')
    expect(data).toEqual([{ id: '154' }, { id: '153' }, { id: '152' }])
  })

  it.each(['true', '1', 'TRUE', 'total_count', 'can_comment,total_count', '["total_count"]'])(
    'request a summary with summary=%s',
    async text => {
      expect((await read(`/me/photos?limit=1&summary=${text}`)).summary.total_count).toBe(60)
      const nested = await read(`/me?fields=photos.limit(1).summary(${text.toLowerCase()})`)
      expect(nested.photos.summary.total_count).toBe(60)
    },
  )

  it('are rejected if they include an offset, which would return the first page again', async () => {
    expect(await reasonOf('/me/photos?offset=25')).toBe('invalid_parameter')
    expect(await reasonOf(`/photos?ids=${ADA}&offset=25`)).toBe('invalid_parameter')
    expect(await read('/me/photos?limit=1&offset=0&fields=id')).toMatchObject({ data: [{ id: '154' }] })
    expect(await read('/me?offset=25')).toEqual(ada)
  })

  it.each(['false', '0', ''])('request no summary with summary=%o', async text => {
    expect(await read(`/me/photos?limit=1&summary=${text}`)).not.toHaveProperty('summary')
  })

  it.each([
    'limit=0',
    'limit=x',
    'limit=1.5',
    'after=!',
    'before=b&after=a',
    'since=soon',
    'order=random',
    'summary=perhaps',
    'summary={}',
    'debug=loud',
    'partial=2',
    'node_type=nothing',
    'node_type=constructor',
  ])('are rejected if they are invalid: %s', async text => {
    expect(await reasonOf(`/me/photos?${text}`)).toBe('invalid_parameter')
  })

  it('add debug messages, metadata and indentation', async () => {
    for (const debug of ['all', 'info', 'warning'])
      expect(await read(`/me?debug=${debug}`)).toEqual({ ...ada, __debug__: { messages: [] } })
    const { metadata, ...rest } = await read('/me?metadata=1')
    expect(metadata).toMatchObject({
      type: 'user',
      connections: { friends: `http://graph.test/${ADA}/friends` },
    })
    expect(rest).toEqual(ada)
    for (const [pretty, text] of [
      ['1', '{\n  "name": "Ada Lovelace",\n  "id": "1"\n}'],
      ['true', '{\n  "name": "Ada Lovelace",\n  "id": "1"\n}'],
      ['0', '{"name":"Ada Lovelace","id":"1"}'],
    ] as const)
      expect((await sendAsAda(`/me?pretty=${pretty}`)).text).toBe(text)
    expect((await sendAsAda('/me?fields=nmae&pretty=1')).text).toMatch(/^\{\n {2}"error": \{\n/)
  })

  it('restrict the type of the node with node_type', async () => {
    expect(await read(`/${ADA}?node_type=user`)).toEqual(ada)
    expect(await reasonOf(`/${ADA}?node_type=page`)).toBe('node_not_found')
    expect(await reasonOf(`/${ADA}/friends?node_type=page`)).toBe('node_not_found')
  })

  it('are ignored if they are unknown', async () => {
    expect(await read('/me?locale=en_US&format=json&sdk=php&suppress_http_code=1&__proto__=x')).toEqual(ada)
  })

  it('can occur twice only with equal values', async () => {
    expect(await read('/me?fields=id&fields=id')).toEqual({ id: ADA })
    expect(await reasonOf('/me?fields=id&fields=name')).toBe('invalid_parameter')
    expect(await reasonOf('/me?fields=id', createFormRequest({ method: 'get', fields: 'name' }))).toBe(
      'invalid_parameter',
    )
  })
})

describe('the order of errors', () => {
  it('puts errors of the token before all others', async () => {
    for (const [path, init] of [
      ['/me?partial=2', {}],
      ['/?ids=', {}],
      ['/', {}],
      ['/me', { method: 'DELETE' }],
      ['/me?fields=a,,b', {}],
      ['/what/permissions', {}],
    ] as const) {
      expect(parseJson(await send(path, init)).error.error_data.reason).toBe('token_missing')
      expect(parseJson(await send(path, { ...init, headers: { authorization: 'OAuth x' } })).error.code).toBe(
        190,
      )
    }
  })
})
