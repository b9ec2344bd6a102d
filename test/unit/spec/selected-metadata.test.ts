import { createGraph, defineSchema, edge, field, node } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { callUntyped, expectGraphError } from '../abuse/expect-graph-error.ts'

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
  {
    op: 'putNode',
    node: { id: '1', type: 'person', fields: { name: 'Ada', best: '2', picture: sizes } },
  },
  { op: 'putNode', node: { id: '2', type: 'page', fields: { name: 'Chess' } } },
  { op: 'putEdge', edge: { source: '1', name: 'friends', target: '2', time: 2 } },
  { op: 'putEdge', edge: { source: '1', name: 'friends', target: '1', time: 1 } },
])
const graph = createGraph(store, { schema })
const viewer = graph.session({ viewer: '1', app: 'demo', scopes: [] })
const readFields = (fields: string, call: object = {}): Promise<unknown> =>
  callUntyped(graph.getNode, viewer, { id: '1', fields, ...call })

const readWhole = async (call: object = {}): Promise<unknown> =>
  Reflect.get(Object(await readFields('id', { metadata: true, ...call })), 'metadata')

describe('metadata in an expression', () => {
  it('returns the selected members in the requested position', async () => {
    const result = await graph.getNode(viewer, { id: '1', type: 'person', fields: 'metadata{type},name' })
    expect(JSON.stringify(result)).toBe('{"metadata":{"type":"person"},"name":"Ada","id":"1"}')
    expect(result.metadata.type.toUpperCase()).toBe('PERSON')
  })

  it('returns its members in the requested order, with nested selections', async () => {
    const connections = { likes: '/1/likes', friends: '/1/friends' }
    expect(JSON.stringify(await readFields('metadata{connections,type}'))).toBe(
      JSON.stringify({ metadata: { connections, type: 'person' }, id: '1' }),
    )
    expect(await readFields('metadata{connections{likes},fields{name.as(n)}}', { version: 'v1.0' })).toEqual({
      metadata: {
        connections: { likes: '/v1.0/1/likes' },
        fields: [{ n: 'id' }, { n: 'name' }, { n: 'picture' }, { n: 'best' }],
      },
      id: '1',
    })
  })

  it('returns the same as the option metadata if it has no selection, in each version', async () => {
    for (const call of [{}, { version: 'v1.0' }, { version: 'v2.0' }])
      expect(await readFields('metadata', call)).toEqual({ metadata: await readWhole(call), id: '1' })
  })

  it('takes precedence over the option metadata unless it has an alias', async () => {
    expect(await readFields('metadata{type}', { metadata: true })).toEqual({
      metadata: { type: 'person' },
      id: '1',
    })
    expect(await readFields('metadata.as(m){type}', { metadata: true })).toEqual({
      m: { type: 'person' },
      metadata: await readWhole(),
      id: '1',
    })
  })

  it('is accepted for several nodes, entries and refs', async () => {
    expect(await graph.getNodes(viewer, { ids: ['1', '2'], fields: 'metadata{type}' })).toEqual({
      1: { metadata: { type: 'person' }, id: '1' },
      2: { metadata: { type: 'page' }, id: '2' },
    })
    expect(await readFields('best{metadata{type}},friends{metadata{connections}}')).toEqual({
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

  it('returns a copy that the caller may change without changing later results', async () => {
    const first = Object(await readFields('metadata'))
    first.metadata.fields[0].name = 'changed'
    first.metadata.fields.length = 1
    expect(await readFields('metadata')).toEqual({ metadata: await readWhole(), id: '1' })
  })

  it('rejects unknown members and modifiers', async () => {
    expect(await expectGraphError(readFields('metadata{nmae}'))).toMatchObject({
      message: '(#100) Tried accessing nonexisting field (nmae) in metadata',
      reason: 'field_not_found',
      data: { name: 'nmae' },
    })
    expect((await expectGraphError(readFields('metadata{type{x}}'))).reason).toBe('invalid_parameter')
    expect((await expectGraphError(readFields('metadata.limit(1)'))).toJSON().error.error_data).toMatchObject(
      {
        reason: 'invalid_parameter',
        parameter: 'limit',
      },
    )
  })
})

describe('the parameter redirect of a picture', () => {
  it.each(['false', '0', 'true', '1'])('is accepted and changes nothing: %s', async word => {
    const data = { height: 50, is_silhouette: false, url: '/50', width: 50 }
    expect(await readFields(`picture.redirect(${word})`)).toEqual({ picture: { data }, id: '1' })
    expect(await readFields(`picture.width(50).redirect(${word}){url}`)).toEqual({
      picture: { data: { url: '/50' } },
      id: '1',
    })
  })

  it('is rejected for a value that is not a boolean, and for other fields', async () => {
    for (const fields of ['picture.redirect(maybe)', 'name.redirect(false)'])
      expect((await expectGraphError(readFields(fields))).toJSON().error.error_data).toMatchObject({
        reason: 'invalid_parameter',
        parameter: 'redirect',
      })
  })
})
