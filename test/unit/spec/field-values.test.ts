import { createGraph, socialSchema } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import {
  ADA,
  ALAN,
  createWorld,
  createWorldStore,
  EDSGER,
  GRACE,
  NEWEST_TIME_TEXT,
  TIM,
} from '../../helpers/world.ts'
import { callUntyped, expectGraphError } from '../abuse/expect-graph-error.ts'

const { graph, ada } = await createWorld()
const { getNode } = graph

describe('birthday', () => {
  it.each([
    ['MM/DD/YYYY if all of it is shown', ADA, '12/10/1990'],
    ['YYYY if only the year is shown', GRACE, '1995'],
    ['MM/DD if the year is hidden', ALAN, '08/04'],
  ])('is %s', async (_, id, birthday) => {
    expect(await getNode(ada, { id, fields: 'birthday' })).toEqual({ birthday, id })
  })

  it.each(['05/17', '02/29', '12/31', '1990', '2000'])(
    'is returned as it was written: %s',
    async birthday => {
      const { graph, ada } = await createWorld()
      await graph.write([{ op: 'patchNode', id: TIM, fields: { birthday } }])
      expect(await graph.getNode(ada, { id: TIM, fields: 'birthday' })).toEqual({ birthday, id: TIM })
    },
  )
})

describe('age_range', () => {
  const DAY = 86_400_000
  const BORN = '2000-03-01'

  /** Returns the age range of a person at a given time. By default, the person was born on 1 March 2000. */
  const rangeAt = async (now: number, show = 'full', date = BORN): Promise<unknown> => {
    const store = createMemoryStore()
    const fields = { name: 'Someone', birthday: { date, show } }
    store.write([{ op: 'putNode', node: { id: '1', type: 'user', fields } }])
    const { getMe, session } = createGraph(store, { now: () => now })
    const result: object = await getMe(session({ viewer: '1', app: 'demo', scopes: [] }), {
      fields: 'age_range',
    })
    return Reflect.get(result, 'age_range')
  }

  it.each([
    [13, { max: 17, min: 13 }, undefined],
    [18, { max: 20, min: 18 }, { max: 17, min: 13 }],
    [21, { min: 21 }, { max: 20, min: 18 }],
  ])('changes on the birthday at the age of %d', async (age, from, until) => {
    const birthday = Date.UTC(2000 + age, 2, 1)
    expect(await rangeAt(birthday - 1)).toEqual(until)
    expect(await rangeAt(birthday)).toEqual(from)
    expect(await rangeAt(birthday + DAY)).toEqual(from)
  })

  it('returns min before max', async () => {
    expect(JSON.stringify(await rangeAt(Date.UTC(2014, 0)))).toBe('{"min":13,"max":17}')
  })

  it('is left out for people younger than 13', async () => {
    expect(await rangeAt(Date.UTC(2000, 2, 1))).toBeUndefined()
    expect(await rangeAt(Date.UTC(1990, 2, 1))).toBeUndefined()
  })

  it.each(['full', 'year', 'day'])('is computed from the whole birthday even with show: %s', async show => {
    expect(await rangeAt(Date.UTC(2018, 1, 28), show)).toEqual({ min: 13, max: 17 })
    expect(await rangeAt(Date.UTC(2018, 2, 1), show)).toEqual({ min: 18, max: 20 })
  })

  it('is left out if the year is not known', async () => {
    expect(await rangeAt(Date.UTC(2018, 5, 1), 'day', '0004-05-17')).toBeUndefined()
    expect(await rangeAt(Date.UTC(2018, 5, 1), 'day', '1990-05-17')).toEqual({ min: 21 })
  })

  it.each([
    [2017, 6, { min: 13, max: 17 }],
    [2018, 0, undefined],
    [2018, 6, undefined],
    [2018, 11, undefined],
    [2019, 0, { min: 18, max: 20 }],
    [2021, 6, undefined],
    [2022, 0, { min: 21 }],
    [2013, 6, undefined],
    [2012, 6, undefined],
    [2014, 0, { min: 13, max: 17 }],
  ])(
    'is returned for a known birth year only if the whole year gives one range: in %d, month index %d',
    async (year, month, range) => {
      expect(await rangeAt(Date.UTC(year, month, 2), 'year', '2000-01-01')).toEqual(range)
    },
  )

  it('is computed from the exact day for a birthday on 1 January that is shown in full', async () => {
    expect(await rangeAt(Date.UTC(2018, 6, 1), 'full', '2000-01-01')).toEqual({ min: 18, max: 20 })
  })

  it('is returned to a token without the scope of the birthday', async () => {
    const { getNode, session } = createGraph(await createWorldStore(), { now: () => Date.UTC(2014, 7, 4) })
    const unscoped = session({ viewer: ADA, app: 'demo', scopes: [] })
    expect(await getNode(unscoped, { id: TIM, fields: 'birthday,age_range' })).toEqual({
      age_range: { min: 13, max: 17 },
      id: TIM,
    })
  })
})

describe('picture', () => {
  const readPictureSize = async (fields: string, id = ADA): Promise<unknown> => {
    const result = await getNode(ada, { id, fields })
    return Reflect.get(result, 'picture')
  }
  const size = (side: number) => ({
    data: { height: side, is_silhouette: false, url: `https://img.example/ada/${side}.jpg`, width: side },
  })

  it('is an object with the member data, which has height, is_silhouette, url and width', async () => {
    expect(JSON.stringify(await readPictureSize('picture'))).toBe(
      '{"data":{"height":50,"is_silhouette":false,"url":"https://img.example/ada/50.jpg","width":50}}',
    )
  })

  it.each([
    ['picture', 50],
    ['picture.width(50)', 50],
    ['picture.width(51)', 100],
    ['picture.width(100).height(100)', 100],
    ['picture.width(100).height(101)', 200],
    ['picture.height(150)', 200],
    ['picture.type(square)', 50],
    ['picture.type(small)', 50],
    ['picture.type(normal)', 100],
    ['picture.type(large)', 200],
    ['picture.width(1000)', 200],
    ['picture.type(large).width(1)', 200],
  ])('is the smallest size that is large enough, else the largest: %s', async (fields, side) => {
    expect(await readPictureSize(fields)).toEqual(size(side))
  })

  it('is the default picture of the schema if the node has none', async () => {
    expect(await readPictureSize('picture', GRACE)).toEqual({
      data: { height: 50, is_silhouette: true, url: '/default-picture.svg', width: 50 },
    })
    expect(await readPictureSize('picture.width(300).height(200)', GRACE)).toEqual({
      data: { height: 200, is_silhouette: true, url: '/default-picture.svg', width: 300 },
    })
  })

  it('is left out if the schema has no default picture either', async () => {
    const schema = socialSchema.extend({}, { defaultPicture: undefined })
    const { getNode, session } = createGraph(await createWorldStore(), { schema })
    const viewer = session({ viewer: ADA, app: 'demo', scopes: [] })
    expect(await getNode(viewer, { id: GRACE, fields: 'picture' })).toEqual({ id: GRACE })
  })

  it('is returned in several sizes under aliases', async () => {
    const fields = 'picture.width(50).as(small),picture.type(large).as(big)'
    expect(await callUntyped(getNode, ada, { id: ADA, fields })).toEqual({
      small: size(50),
      big: size(200),
      id: ADA,
    })
  })

  it.each([
    ['picture.width(huge)', 'width'],
    ['picture.width(1.5)', 'width'],
    ['picture.type(tiny)', 'type'],
    ['picture.depth(1)', 'depth'],
    ['picture.limit(1)', 'limit'],
  ])('rejects %s', async (fields, parameter) => {
    const error = await expectGraphError(callUntyped(getNode, ada, { id: ADA, fields }))
    expect(error.toJSON().error.error_data).toMatchObject({ reason: 'invalid_parameter', parameter })
  })
})

describe('a datetime', () => {
  it('is returned as ISO 8601 with a numeric offset without a colon', async () => {
    expect(await getNode(ada, { id: ADA, fields: 'updated_time' })).toEqual({
      updated_time: NEWEST_TIME_TEXT,
      id: ADA,
    })
    expect(NEWEST_TIME_TEXT).toBe('2014-08-03T17:41:09+0000')
  })
})

describe('metadata', () => {
  it('is added before an id that was not requested', async () => {
    const result = await callUntyped(getNode, ada, { id: EDSGER, metadata: true })
    expect(Object.keys(Object(result))).toEqual(['name', 'metadata', 'id'])
    expect(result).toMatchObject({ name: 'Edsger Dijkstra', id: EDSGER })
  })

  it('is added last if the id was requested', async () => {
    const result = await callUntyped(getNode, ada, { id: EDSGER, fields: 'id,name', metadata: true })
    expect(Object.keys(Object(result))).toEqual(['id', 'name', 'metadata'])
  })

  it('is left out unless it is requested', async () => {
    expect(await callUntyped(getNode, ada, { id: EDSGER, metadata: false })).toEqual({
      name: 'Edsger Dijkstra',
      id: EDSGER,
    })
  })

  it('lists name, description and type of every field, whatever is requested or permitted', async () => {
    const unscoped = graph.session({ viewer: ADA, app: 'demo', scopes: [] })
    const result = await callUntyped(getNode, unscoped, { id: ADA, fields: 'id', metadata: true })
    const { fields } = socialSchema.types.user
    expect(result).toMatchObject({ metadata: { type: 'user' } })
    const { metadata } = result as {
      metadata: { fields: { name: string; description: string; type: string }[] }
    }
    expect(metadata.fields.map(({ name }) => name)).toEqual(['id', ...Object.keys(fields)])
    for (const described of metadata.fields) {
      expect(Object.keys(described)).toEqual(['name', 'description', 'type'])
      expect(described.description).not.toBe('')
    }
    const types = Object.fromEntries(metadata.fields.map(({ name, type }) => [name, type]))
    expect(types).toMatchObject({
      id: 'numeric string',
      age_range: 'agerange',
      birthday: 'string',
      picture: 'object',
    })
  })

  it('names the type of each field of a photo', async () => {
    const result = await callUntyped(getNode, ada, { id: '154', metadata: true })
    const { metadata } = result as { metadata: { fields: { name: string; type: string }[] } }
    const types = Object.fromEntries(metadata.fields.map(({ name, type }) => [name, type]))
    expect(types).toEqual({
      id: 'numeric string',
      created_time: 'datetime',
      name: 'string',
      from: 'user|page',
      height: 'int',
      width: 'int',
      icon: 'url',
      images: 'list<object>',
      link: 'url',
      picture: 'object',
      updated_time: 'datetime',
      viewer_likes: 'bool',
    })
  })

  it('lists the path of each edge', async () => {
    const result = await callUntyped(getNode, ada, { id: 'me', metadata: true })
    const { metadata } = result as { metadata: { connections: object } }
    const edges = ['photos', 'albums', 'posts', 'feed', 'friends', 'likes', 'groups', 'accounts']
    expect(metadata.connections).toEqual(Object.fromEntries(edges.map(edge => [edge, `/${ADA}/${edge}`])))
  })

  it('lists paths with the requested version', async () => {
    const result = await callUntyped(getNode, ada, { id: ADA, metadata: true, version: 'v1.0' })
    expect(result).toMatchObject({ metadata: { connections: { photos: `/v1.0/${ADA}/photos` } } })
  })

  it('is added to each node of getNodes', async () => {
    const results = await callUntyped(graph.getNodes, ada, { ids: [ADA, '20'], metadata: true })
    expect(results).toMatchObject({
      [ADA]: { metadata: { type: 'user' } },
      20: { metadata: { type: 'page' } },
    })
  })
})
