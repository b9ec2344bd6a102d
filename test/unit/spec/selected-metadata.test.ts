import { createGraph, defineSchema, edge, field, node } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { faultOf, loosely } from '../abuse/fault-of.ts'

const schema = defineSchema(
  {
    person: node({
      fields: {
        name: field.string({ default: true, description: 'Of the person.' }),
        later: field.string({ since: 'v2.0' }),
        picture: field.picture(),
        best: field.ref(['person', 'page']),
      },
      edges: { likes: edge('page'), friends: edge(['person', 'page']) },
    }),
    page: node({ fields: { name: field.string({ default: true }) }, edges: { fans: edge('person') } }),
  },
  { versions: ['v1.0', 'v2.0'], viewers: ['person'] },
)
const store = createMemoryStore()
const sizes = [{ url: '/50', width: 50, height: 50 }]
store.write([
  { op: 'putNode', node: { id: '1', type: 'person', fields: { name: 'Ada', best: '2', picture: sizes } } },
  { op: 'putNode', node: { id: '2', type: 'page', fields: { name: 'Chess' } } },
  { op: 'putEdge', edge: { source: '1', name: 'friends', target: '2', time: 2 } },
  { op: 'putEdge', edge: { source: '1', name: 'friends', target: '1', time: 1 } },
])
const graph = createGraph(store, { schema })
const viewer = graph.session({ viewer: '1', app: 'demo', scopes: [] })
const ask = (fields: string, call: object = {}): Promise<unknown> =>
  loosely(graph.getNode, viewer, { id: '1', fields, ...call })

const whole = async (call: object = {}): Promise<unknown> =>
  Reflect.get(Object(await ask('id', { metadata: true, ...call })), 'metadata')

describe('metadata in an expression', () => {
  it('is the selection of it, in its place', async () => {
    const answer = await graph.getNode(viewer, { id: '1', type: 'person', fields: 'metadata{type},name' })
    expect(JSON.stringify(answer)).toBe('{"metadata":{"type":"person"},"name":"Ada","id":"1"}')
    expect(answer.metadata.type.toUpperCase()).toBe('PERSON')
  })

  it('has its members in the order asked, and selects inside of them', async () => {
    const connections = { likes: '/1/likes', friends: '/1/friends' }
    expect(JSON.stringify(await ask('metadata{connections,type}'))).toBe(
      JSON.stringify({ metadata: { connections, type: 'person' }, id: '1' }),
    )
    expect(await ask('metadata{connections{likes},fields{name.as(n)}}', { version: 'v1.0' })).toEqual({
      metadata: {
        connections: { likes: '/v1.0/1/likes' },
        fields: [{ n: 'id' }, { n: 'name' }, { n: 'picture' }, { n: 'best' }],
      },
      id: '1',
    })
  })

  it('without {…} is all that the option metadata gives, in each version', async () => {
    for (const call of [{}, { version: 'v1.0' }, { version: 'v2.0' }])
      expect(await ask('metadata', call)).toEqual({ metadata: await whole(call), id: '1' })
  })

  it('goes before the option, and not where it has another name', async () => {
    expect(await ask('metadata{type}', { metadata: true })).toEqual({ metadata: { type: 'person' }, id: '1' })
    expect(await ask('metadata.as(m){type}', { metadata: true })).toEqual({
      m: { type: 'person' },
      metadata: await whole(),
      id: '1',
    })
  })

  it('is asked of several nodes, of entries and of refs', async () => {
    expect(await graph.getNodes(viewer, { ids: ['1', '2'], fields: 'metadata{type}' })).toEqual({
      1: { metadata: { type: 'person' }, id: '1' },
      2: { metadata: { type: 'page' }, id: '2' },
    })
    expect(await ask('best{metadata{type}},friends{metadata{connections}}')).toEqual({
      best: { metadata: { type: 'page' }, id: '2' },
      friends: {
        data: [
          { metadata: { connections: { fans: '/2/fans' } }, id: '2' },
          { metadata: { connections: { likes: '/1/likes', friends: '/1/friends' } }, id: '1' },
        ],
        paging: expect.anything(),
      },
      id: '1',
    })
  })

  it('is no member of another answer', async () => {
    const first = Object(await ask('metadata'))
    first.metadata.fields[0].name = 'changed'
    first.metadata.fields.length = 1
    expect(await ask('metadata')).toEqual({ metadata: await whole(), id: '1' })
  })

  it('refuses other members and modifiers', async () => {
    expect(await faultOf(ask('metadata{nmae}'))).toMatchObject({
      message: '(#100) Tried accessing nonexisting field (nmae) in metadata',
      data: { reason: 'unknown_field', name: 'nmae' },
    })
    expect((await faultOf(ask('metadata{type{x}}'))).data.reason).toBe('bad_parameter')
    expect((await faultOf(ask('metadata.limit(1)'))).data).toMatchObject({
      reason: 'bad_parameter',
      parameter: 'limit',
    })
  })
})

describe('redirect of a picture in an expression', () => {
  it.each(['false', '0', 'true', '1'])('is accepted and changes nothing: %s', async word => {
    const data = { height: 50, is_silhouette: false, url: '/50', width: 50 }
    expect(await ask(`picture.redirect(${word})`)).toEqual({ picture: { data }, id: '1' })
    expect(await ask(`picture.width(50).redirect(${word}){url}`)).toEqual({
      picture: { data: { url: '/50' } },
      id: '1',
    })
  })

  it('is a boolean, of pictures alone', async () => {
    for (const fields of ['picture.redirect(maybe)', 'name.redirect(false)'])
      expect((await faultOf(ask(fields))).data).toMatchObject({
        reason: 'bad_parameter',
        parameter: 'redirect',
      })
  })
})
