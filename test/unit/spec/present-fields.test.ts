import {
  collection,
  createGraph,
  defineSchema,
  edge,
  type Field,
  field,
  type GraphEvent,
  isViewer,
  node,
} from 'kithgraph'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { isReadOnly } from '../../../src/store/capabilities.ts'
import { delegateStore } from '../../../src/testing/delegate-store.ts'
import { createUncheckedStore, type UncheckedEdge } from '../../helpers/unchecked-store.ts'
import { callUntyped, expectGraphError } from '../abuse/expect-graph-error.ts'

const schema = defineSchema({
  item: node({
    fields: {
      title: field.string({ required: true }),
      made: field.datetime({ present: true }),
      note: field.string({ present: true, policy: [isViewer()] }),
      owner: field.ref('item', { present: true }),
    },
    edges: { keeps: edge('item', { fields: { rank: field.int({ present: true }) } }) },
  }),
})

/** Opens a graph over nodes without any value, with the events of its calls. */
const openEmpty = (writes: 'all' | 'tokens', edges: readonly UncheckedEdge[] = []) => {
  const events: GraphEvent[] = []
  const unchecked = createUncheckedStore(
    ['1', '2'].map(id => ({ id, type: 'item', fields: {} })),
    edges,
  )
  const store = delegateStore(unchecked, { capabilities: { ...unchecked.capabilities, writes } })
  const graph = createGraph(store, { schema, onEvent: event => void events.push(event) })
  const badFields = (): readonly string[] => {
    const event = events.at(-1)
    return event?.kind === 'query' ? event.badValues.map(({ field: name }) => name) : []
  }
  return { graph, session: graph.session({ viewer: '1', app: 'tests' }), badFields, store }
}

describe('a present field', () => {
  it('without a stored value is left out and reported, like a bad value', async () => {
    const { graph, session, badFields } = openEmpty('all')
    const result = await graph.getNode(session, { id: '1', type: 'item', fields: 'title,made,note,owner' })
    expect(result).toEqual({ id: '1' })
    expect(badFields()).toEqual(['made', 'note', 'owner'])
  })

  it('is not reported if the call does not select it, or its policy denies', async () => {
    const { graph, session, badFields } = openEmpty('all')
    await graph.getNode(session, { id: '2', type: 'item', fields: 'title,note' })
    expect(badFields()).toEqual([])
  })

  it('of an edge without a stored value is reported, but not of a node that no edge leads to', async () => {
    const { graph, session, badFields } = openEmpty('all', [{ source: '1', name: 'keeps', target: '2' }])
    await graph.getEdge(session, { id: '1', type: 'item', edge: 'keeps', fields: 'rank' })
    expect(badFields()).toEqual(['rank'])
  })

  it('without a stored value fails the call with checkValues "error"', async () => {
    const graph = createGraph(openEmpty('all').store, { schema, checkValues: 'error' })
    const error = await expectGraphError(
      graph.getNode(graph.session({ app: 'tests' }), { id: '1', type: 'item', fields: 'made' }),
    )
    expect(error.reason).toBe('internal_error')
    expect(String(error.cause)).toBe('TypeError: item.made: the value must be a value; received undefined')
  })

  it('is optional in a write, and a patch cannot remove it', async () => {
    const graph = createGraph(createMemoryStore(), { schema })
    await graph.write([{ op: 'putNode', node: { id: '1', type: 'item', fields: { title: 'a' } } }])
    const patch = { op: 'patchNode', id: '1', fields: { made: null } }
    const error = await expectGraphError(callUntyped(graph.write, [patch]))
    expect(error.data).toMatchObject({
      path: 'fields.made',
      expected: 'a value, since every record has one',
      received: 'null',
    })
  })

  it('can order an edge and a collection', () => {
    const fields = { rank: field.int({ present: true }) }
    expect(() =>
      defineSchema(
        {
          item: node({
            fields,
            edges: { keeps: edge('other', { fields, orders: { top: { by: 'rank' } } }) },
          }),
          other: node({}),
        },
        { collections: { items: collection('item', { by: 'rank' }) } },
      ),
    ).not.toThrow()
  })

  it('cannot be required too', () => {
    const both = () => field.string({ required: true, present: true })
    expect(both).toThrow(
      new TypeError('field.string: "present" must be left out of a required field; received true'),
    )
    expect(() => field.ref('item', { required: true, present: true })).toThrow(TypeError)
  })

  it('cannot be computed', () => {
    const computed: Field = field.string({ present: true, resolve: records => records.map(() => 'a') })
    expect(() => defineSchema({ item: node({ fields: { computed } }) })).toThrow(
      'item.computed: "present" must be left out of a computed field; received true',
    )
  })
})

describe('a required field without a stored value', () => {
  it('is reported only if other programs write the store', async () => {
    for (const writes of ['all', 'tokens'] as const) {
      const { graph, session, badFields, store } = openEmpty(writes)
      await graph.getNode(session, { id: '1', type: 'item', fields: 'title' })
      expect(badFields()).toEqual(isReadOnly(store.capabilities) ? ['title'] : [])
    }
  })
})
