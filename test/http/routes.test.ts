import { describe, expect, it } from 'vitest'
import { ADA, ALAN, ENGINE, GRACE, NEWEST_PHOTO, NOBODY } from '../helpers/world.ts'
import { form, json, jsonOf, serveWorld } from './served-world.ts'

const { ask, read, reasonOf, send, graph, token } = await serveWorld()

const ada = { name: 'Ada Lovelace', id: ADA }

describe('a path', () => {
  it('leads to the viewer, a node, or an edge of either', async () => {
    expect(await read('/me')).toEqual(ada)
    expect(await read(`/${GRACE}`)).toEqual({ name: 'Grace Hopper', id: GRACE })
    expect((await read('/me/friends')).data).toEqual([
      { name: 'Alan Turing', id: ALAN },
      { name: 'Grace Hopper', id: GRACE },
    ])
    expect((await read(`/${ADA}/friends`)).data).toHaveLength(2)
  })

  it('answers what the graph answers in-process, byte for byte but for links', async () => {
    const call = { fields: 'name,photos.limit(2){from,comments.limit(1).summary(true){message}}' }
    const { text } = await ask(`/me?fields=${encodeURIComponent(call.fields)}`, {
      headers: { 'kithgraph-links': 'relative' },
    })
    expect(text).toBe(JSON.stringify(await graph.getMe(token, call)))
  })

  it('may have a slash at its end, or too many', async () => {
    for (const path of ['/me/', '/v1.0/me/', '//me', '/v1.0//me//']) expect(await read(path)).toEqual(ada)
  })

  it('may be encoded', async () => {
    expect(await read('/%6De')).toEqual(ada)
    expect((await read(`/${ADA}/%66riends`)).data).toHaveLength(2)
  })

  it('that goes on behind what there is, is a fault which says where', async () => {
    const { status, text } = await ask('/me/friends/bogus/more')
    expect(status).toBe(400)
    expect(JSON.parse(text).error).toMatchObject({
      message: 'Unknown path components: /bogus/more',
      code: 2500,
      error_data: { reason: 'unknown_path', path: '/bogus/more' },
    })
  })

  it('to a node or an edge that is not there is a fault', async () => {
    expect(await reasonOf(`/${NOBODY}`)).toBe('node_missing')
    expect(await reasonOf(`/${ADA}/fiends`)).toBe('unknown_field')
    expect(await reasonOf('/nobody')).toBe('bad_parameter')
  })

  it('without anything to read is a fault that begins as clients expect', async () => {
    for (const path of ['/', '/v1.0', '/v1.0/'])
      expect((await read(path)).error).toMatchObject({
        message: expect.stringMatching(/^Unsupported get request\. /),
        type: 'GraphMethodException',
        code: 100,
      })
    expect((await read('/999')).error.message).toMatch(/^Unsupported get request\. /)
  })
})

describe('several ids', () => {
  it('are answered each under the id as it was asked', async () => {
    for (const ids of [`${GRACE},me`, JSON.stringify([GRACE, 'me'])]) {
      expect(await read(`/?ids=${encodeURIComponent(ids)}&fields=id`)).toEqual({
        [GRACE]: { id: GRACE },
        me: { id: ADA },
      })
    }
  })

  it('are answered at every spelling of the root', async () => {
    for (const root of ['/', '/v1.0', '/v1.0/', '']) {
      expect(await read(`${root}?ids=${GRACE}&fields=id`)).toEqual({ [GRACE]: { id: GRACE } })
    }
  })

  it('have their edges read together', async () => {
    const answer = await read(`/likes?ids=${ADA},${NEWEST_PHOTO}&fields=id`)
    expect(Object.keys(answer).toSorted()).toEqual([ADA, NEWEST_PHOTO])
    expect(answer[ADA].data).toEqual([{ id: ENGINE }])
    expect(answer[NEWEST_PHOTO].data).toEqual([{ id: ALAN }, { id: GRACE }])
  })

  it('may not be empty, nor come beside another id', async () => {
    for (const path of ['/?ids=', '/?ids=1,', '/?ids=[]', '/?ids=1&id=1', `/${ADA}/likes?ids=1`, '/?ids=[1]'])
      expect(await reasonOf(path)).toBe('bad_parameter')
  })

  it('are at most fifty', async () => {
    const ids = Array.from({ length: 51 }, (_, index) => index + 1)
    expect(await reasonOf(`/?ids=${ids}`)).toBe('too_many_ids')
  })

  it('fail together, but under `partial` each for itself', async () => {
    expect(await reasonOf(`/?ids=${GRACE},${NOBODY}`)).toBe('node_missing')
    const answer = await read(`/?ids=${GRACE},${NOBODY}&partial=1&fields=id`)
    expect(answer).toMatchObject({ [GRACE]: { id: GRACE }, __debug__: { messages: [{ type: 'warning' }] } })
  })

  it('may be one alone, as `id`', async () => {
    expect(await read(`/?id=${GRACE}&fields=id`)).toEqual({ id: GRACE })
    expect(await read('/v1.0?id=me&fields=id')).toEqual({ id: ADA })
  })
})

describe('the parameter `fields`', () => {
  const answer = { photos: { data: [{ id: NEWEST_PHOTO }] }, name: 'Ada Lovelace', id: ADA }
  const expression = 'photos.limit(1){id},name'

  it('is an expression, raw or encoded', async () => {
    for (const text of [expression, encodeURIComponent(expression), expression.replace(',', ',%20')])
      expect(await read(`/me?fields=${text}`)).toMatchObject(answer)
  })

  it('may be a JSON array of expressions', async () => {
    for (const list of [['photos.limit(1){id}', 'name'], [expression]])
      expect(await read(`/me?fields=${encodeURIComponent(JSON.stringify(list))}`)).toMatchObject(answer)
    expect(await read('/me', json({ method: 'get', fields: ['photos.limit(1){id}', 'name'] }))).toMatchObject(
      answer,
    )
  })

  it('may be empty, which asks for the defaults', async () => {
    expect(await read('/me?fields=')).toEqual(ada)
    expect(await read('/me?fields')).toEqual(ada)
  })

  it('may be wrong, which is told as the graph tells it', async () => {
    expect(await reasonOf('/me?fields=nmae')).toBe('unknown_field')
    expect(await reasonOf('/me?fields=a,,b')).toBe('syntax')
    expect(await reasonOf('/me?fields=name,name')).toBe('duplicate')
    expect(await reasonOf('/me?fields=[1]')).toBe('bad_parameter')
  })
})

describe('the other parameters', () => {
  it('of a page are those of the in-process call', async () => {
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

  it('take dates as the in-process call does', async () => {
    const { data } = await read('/me/photos?since=2014-08-03T17:41:09Z&until=1407087669&fields=id')
    expect(data).toEqual([{ id: '154' }, { id: '153' }, { id: '152' }])
  })

  it.each(['true', '1', 'TRUE', 'total_count', 'can_comment,total_count', '["total_count"]'])(
    'ask for a summary by %s',
    async text => {
      expect((await read(`/me/photos?limit=1&summary=${text}`)).summary.total_count).toBe(60)
      const nested = await read(`/me?fields=photos.limit(1).summary(${text.toLowerCase()})`)
      expect(nested.photos.summary.total_count).toBe(60)
    },
  )

  it('ask for no page by an offset: it would be the first again', async () => {
    expect(await reasonOf('/me/photos?offset=25')).toBe('bad_parameter')
    expect(await reasonOf(`/photos?ids=${ADA}&offset=25`)).toBe('bad_parameter')
    expect(await read('/me/photos?limit=1&offset=0&fields=id')).toMatchObject({ data: [{ id: '154' }] })
    expect(await read('/me?offset=25')).toEqual(ada)
  })

  it.each(['false', '0', ''])('ask for none by %o', async text => {
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
  ])('are bad as %s', async text => {
    expect(await reasonOf(`/me/photos?${text}`)).toBe('bad_parameter')
  })

  it('add debug messages, metadata and white space', async () => {
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
      expect((await ask(`/me?pretty=${pretty}`)).text).toBe(text)
    expect((await ask('/me?fields=nmae&pretty=1')).text).toMatch(/^\{\n {2}"error": \{\n/)
  })

  it('narrow the type that a node must have', async () => {
    expect(await read(`/${ADA}?node_type=user`)).toEqual(ada)
    expect(await reasonOf(`/${ADA}?node_type=page`)).toBe('node_missing')
    expect(await reasonOf(`/${ADA}/friends?node_type=page`)).toBe('node_missing')
  })

  it('that nobody knows are ignored', async () => {
    expect(await read('/me?locale=en_US&format=json&sdk=php&suppress_http_code=1&__proto__=x')).toEqual(ada)
  })

  it('that come twice must be the same', async () => {
    expect(await read('/me?fields=id&fields=id')).toEqual({ id: ADA })
    expect(await reasonOf('/me?fields=id&fields=name')).toBe('bad_parameter')
    expect(await reasonOf('/me?fields=id', form({ method: 'get', fields: 'name' }))).toBe('bad_parameter')
  })
})

describe('the order of faults', () => {
  it('puts the token before whatever is wrong with the request', async () => {
    for (const [path, init] of [
      ['/me?partial=2', {}],
      ['/?ids=', {}],
      ['/', {}],
      ['/me', { method: 'DELETE' }],
      ['/me?fields=a,,b', {}],
      ['/what/permissions', {}],
    ] as const) {
      expect(jsonOf(await send(path, init)).error.error_data.reason).toBe('token_missing')
      expect(jsonOf(await send(path, { ...init, headers: { authorization: 'OAuth x' } })).error.code).toBe(
        190,
      )
    }
  })
})
