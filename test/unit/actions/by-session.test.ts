import { createGraph, defineSchema, edge, field, isViewer, node, parameter } from 'kithgraph'
import { actionsOf } from 'kithgraph/actions'
import { describe, expect, it } from 'vitest'
import { createTenantStore } from '../../helpers/tenant-store.ts'

const schema = defineSchema(
  {
    user: node({ fields: { name: field.string() }, edges: { notes: edge('note') } }),
    note: node({
      policy: [isViewer({ of: 'owner' })],
      fields: { owner: field.ref('user'), text: field.string() },
    }),
  },
  { viewers: ['user'] },
)
const actions = [
  actionsOf(schema)('user', 'notes.add', {
    policy: [isViewer()],
    returns: 'note',
    parameters: { text: parameter.string({ required: true }) },
    run: async ({ source, parameters, graph, session, newId, write }) => {
      const id = newId('note')
      const { name } = await graph.getMe(session, { fields: 'name' })
      const fields = { owner: source.id, text: `${name}: ${parameters.text}` }
      const { revision } = await write([
        { op: 'putNode', node: { id, type: 'note', fields } },
        { op: 'putEdge', edge: { source: source.id, name: 'notes', target: id } },
      ])
      return { id, revision }
    },
  }),
]

describe('actions over a store that reads by session', () => {
  it.each(['read', 'snapshot'] as const)(
    'read and write the data of their session, also with the same key in two organizations (consistency %s)',
    async consistency => {
      const store = createTenantStore()
      const graph = createGraph(store, { schema, actions, consistency, secret: 'a secret of all processes' })
      const organizations = ['north', 'south'] as const
      for (const organization of organizations) {
        const claims = { org_id: organization }
        const session = graph.session({ viewer: undefined, app: 'demo', claims })
        const fields = { name: `Ada of ${organization}` }
        await graph.write([{ op: 'putNode', node: { id: '1', type: 'user', fields } }], { session })
      }
      const results = await Promise.all(
        organizations.flatMap(organization => {
          const session = graph.session({ viewer: '1', app: 'demo', claims: { org_id: organization } })
          const options = {
            id: 'me',
            action: 'notes.add',
            parameters: { text: 'Hi' },
            fields: 'text',
          } as const
          const call = () => graph.callAction(session, { ...options, idempotencyKey: 'key' })
          return [call(), call()]
        }),
      )
      expect(results.map(({ text }) => text)).toEqual([
        ...Array(2).fill('Ada of north: Hi'),
        ...Array(2).fill('Ada of south: Hi'),
      ])
      expect(store.violations).toEqual([])
      for (const organization of organizations) {
        const session = graph.session({ viewer: '1', app: 'demo', claims: { org_id: organization } })
        expect((await graph.getEdge(session, { id: 'me', edge: 'notes' })).data).toHaveLength(1)
      }
    },
  )
})
