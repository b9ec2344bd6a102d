import { createGraph, defineSchema, edge, field, node } from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { callUntyped, expectGraphError } from '../abuse/expect-graph-error.ts'

const schema = defineSchema(
  {
    person: node({
      fields: {
        name: field.string({ default: true }),
        motto: field.string({ default: true, since: 'v2.3' }),
        fax: field.string({ removedIn: 'v2.12' }),
        nick: field.string({ default: true, since: 'v2.3', removedIn: 'v2.12' }),
        idol: field.ref('person', { since: 'v2.12' }),
        phone: field.string({ deprecated: 'use motto' }),
      },
      edges: {
        friends: edge('person', {
          fields: { close: field.bool({ since: 'v2.12' }) },
          defaults: ['name', 'close'],
        }),
      },
    }),
  },
  { versions: ['v2.12', 'v1.0', 'v2.3'] },
)

const fields = { name: 'Ada', motto: 'Onwards', fax: '12', nick: 'A', idol: '2', phone: '34' }
const store = createMemoryStore()
store.write([
  { op: 'putNode', node: { id: '1', type: 'person', fields } },
  { op: 'putNode', node: { id: '2', type: 'person', fields: { name: 'Mary' } } },
  { op: 'putEdge', edge: { source: '1', name: 'friends', target: '2', time: 0, data: { close: true } } },
])
const graph = createGraph(store, { schema })
const viewer = graph.session({ viewer: '1', app: 'demo', scopes: [] })

const readFields = (call: object): Promise<unknown> => callUntyped(graph.getMe, viewer, call)

describe('the version of a call', () => {
  it('is compared by its numbers: v2.12 follows v2.3', async () => {
    expect(schema.versions).toEqual(['v1.0', 'v2.3', 'v2.12'])
    expect(await readFields({ version: 'v2.12', fields: 'idol' })).toEqual({
      idol: { name: 'Mary', id: '2' },
      id: '1',
    })
    expect((await expectGraphError(readFields({ version: 'v2.3', fields: 'idol' }))).reason).toBe(
      'field_not_in_version',
    )
  })

  it('determines the default fields of a node', async () => {
    expect(await readFields({ version: 'v1.0' })).toEqual({ name: 'Ada', id: '1' })
    expect(await readFields({ version: 'v2.3' })).toEqual({
      name: 'Ada',
      motto: 'Onwards',
      nick: 'A',
      id: '1',
    })
    expect(await readFields({ version: 'v2.12' })).toEqual({ name: 'Ada', motto: 'Onwards', id: '1' })
  })

  it('determines the default fields of the entries of an edge', async () => {
    const entries = async (version: string) =>
      Object(await callUntyped(graph.getEdge, viewer, { id: '1', edge: 'friends', version })).data
    expect(await entries('v2.3')).toEqual([{ name: 'Mary', id: '2' }])
    expect(await entries('v2.12')).toEqual([{ name: 'Mary', close: true, id: '2' }])
  })

  it('defaults to the newest version of the schema', async () => {
    expect(await readFields({})).toEqual(await readFields({ version: 'v2.12' }))
  })

  it('defaults to the version option of the graph', async () => {
    const { getMe, session } = createGraph(store, { schema, version: 'v1.0' })
    expect(await getMe(session({ viewer: '1', app: 'demo', scopes: [] }))).toEqual({ name: 'Ada', id: '1' })
  })

  it.each([
    ['v2.4', 'v2.3'],
    ['v2.11', 'v2.3'],
    ['v3.0', 'v2.12'],
    ['v99.0', 'v2.12'],
    ['v0.1', 'v1.0'],
    ['v1.9', 'v1.0'],
  ])('is resolved from %s to %s', async (version, served) => {
    expect(await readFields({ version })).toEqual(await readFields({ version: served }))
    expect(graph.explain({ type: 'person', version }).version).toBe(served)
  })

  it.each(['2.3', 'v2', 'v2.3.1', 'V2.3', 'latest', '', 'v02.3', 'v2.-3', ' v2.3'])(
    'is rejected if it is the text %o',
    async version => {
      const error = await expectGraphError(readFields({ version }))
      expect(error.toJSON().error.error_data).toMatchObject({
        reason: 'invalid_parameter',
        parameter: 'version',
      })
    },
  )
})

describe('a field with since or removedIn', () => {
  it.each([
    ['motto', 'v1.0', '(#12) Field motto requires version v2.3 or higher'],
    ['nick', 'v1.0', '(#12) Field nick requires version v2.3 or higher'],
    ['fax', 'v2.12', '(#12) Field fax is not available in version v2.12 and higher'],
    ['nick', 'v2.12', '(#12) Field nick is not available in version v2.12 and higher'],
    ['friends{close}', 'v2.3', '(#12) Field close requires version v2.12 or higher'],
  ])(
    'is rejected with code 12 in a version that does not have it: %s in %s',
    async (asked, version, message) => {
      const error = await expectGraphError(readFields({ version, fields: asked }))
      expect(error).toMatchObject({ code: 12, status: 400, type: 'OAuthException', message })
      expect(error.toJSON().error.error_data).toMatchObject({ reason: 'field_not_in_version', version })
    },
  )

  it('is returned in a version that has it', async () => {
    expect(await readFields({ version: 'v2.3', fields: 'motto,fax,nick' })).toEqual({
      motto: 'Onwards',
      fax: '12',
      nick: 'A',
      id: '1',
    })
  })

  it('is listed in metadata only in the versions that have it', async () => {
    const names = async (version: string): Promise<string[]> =>
      Object(await readFields({ version, metadata: true })).metadata.fields.map(
        ({ name }: { name: string }) => name,
      )
    expect(await names('v1.0')).toEqual(['id', 'name', 'fax', 'phone'])
    expect(await names('v2.12')).toEqual(['id', 'name', 'motto', 'idol', 'phone'])
  })
})
