import { createGraph, defineSchema, field, isViewer, node, parameter } from 'kithgraph'
import { ActionError, actionsOf } from 'kithgraph/actions'
import { createAppIds } from 'kithgraph/app-ids'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { errorOf } from '../../helpers/error-of.ts'

const ADA = '1'
const BOB = '2'

const schema = defineSchema(
  {
    user: node({ appScoped: true, fields: { name: field.string(), friend: field.ref('user') } }),
    card: node({
      appScoped: true,
      policy: [isViewer({ of: 'owner' })],
      fields: { owner: field.ref('user'), text: field.string() },
    }),
  },
  { viewers: ['user'] },
)
const action = actionsOf(schema)

const open = async () => {
  const received: unknown[] = []
  const validated: unknown[] = []
  const actions = [
    action('user', 'give', {
      policy: 'anyone',
      returns: 'card',
      parameters: { friend: parameter.node('user'), others: parameter.list(parameter.node('user')) },
      validate: {
        '~standard': {
          version: 1,
          vendor: 'test',
          validate: value => {
            validated.push(value)
            return { value }
          },
        },
      },
      run: async ({ source, parameters, newId, callId, write }) => {
        received.push({ source: source.id, friend: parameters.friend?.id, callId })
        const id = newId('card')
        await write([{ op: 'putNode', node: { id, type: 'card', fields: { owner: source.id } } }])
        return { id }
      },
    }),
    action('user', 'show', {
      policy: 'anyone',
      result: { me: field.ref('user', { required: true }), text: field.string() },
      run: ({ source }) => ({ result: { me: source.id, text: source.id } }),
    }),
    action('user', 'hide', {
      policy: 'anyone',
      returns: 'card',
      run: async ({ newId, write }) => {
        const id = newId('card')
        const { revision } = await write([
          { op: 'putNode', node: { id, type: 'card', fields: { owner: BOB } } },
        ])
        return { id, revision }
      },
    }),
    action('user', 'fail', {
      policy: 'anyone',
      run: ({ source, session, graph }) => {
        const id = graph.ids.toPublic(source.id, session.app)
        throw new ActionError('blocked', { message: 'You are blocked.', data: { id } })
      },
    }),
  ]
  const appIds = createAppIds({ secrets: { 7: 'a secret for the tests of ids' }, current: 7 })
  const graph = createGraph(createMemoryStore(), {
    schema,
    actions,
    appIds,
    secret: 'another secret for the tests',
  })
  await graph.write([
    { op: 'putNode', node: { id: ADA, type: 'user', fields: { name: 'Ada' } } },
    { op: 'putNode', node: { id: BOB, type: 'user', fields: { name: 'Bob' } } },
  ])
  const inApp = (app: string) => ({
    session: graph.session({ viewer: ADA, app }),
    toPublic: (id: string): string => appIds.forApp(app).toPublic(id),
  })
  return { graph, received, validated, ...inApp('demo'), other: inApp('other') }
}

describe('an action of a graph with app-scoped ids', () => {
  it('finds its source and the nodes of its parameters by the ids of the app', async () => {
    const { graph, session, toPublic, received, validated } = await open()
    const friend = toPublic(BOB)
    const call = { type: 'user', id: toPublic(ADA), action: 'give' } as const
    await graph.callAction(session, { ...call, parameters: { friend, others: ['me', friend] } })
    expect(received).toMatchObject([{ source: ADA, friend: BOB }])
    expect(validated).toEqual([{ friend, others: ['me', friend] }])
  })

  it('rejects the ids of other apps like ids that no node has', async () => {
    const { graph, session, toPublic, other, received } = await open()
    const issuesFor = async (friend: string) => {
      const error = await errorOf(
        graph.callAction(session, { type: 'user', id: 'me', action: 'give', parameters: { friend } }),
      )
      return JSON.stringify([error.reason, error.message, error.data]).replaceAll(friend, 'ID')
    }
    const missing = await issuesFor(toPublic('99'))
    expect(missing).toContain('invalid_parameter')
    for (const id of [other.toPublic(BOB), BOB, `${BigInt(toPublic(BOB)) + 1n}`])
      expect(await issuesFor(id)).toBe(missing)
    const source = await errorOf(
      graph.callAction(session, { type: 'user', id: other.toPublic(ADA), action: 'give' }),
    )
    expect(source.reason).toBe('node_not_found')
    expect(received).toEqual([])
  })

  it('returns the ids of the app: of its node, in its result, and in a field', async () => {
    const { graph, session, toPublic } = await open()
    const me = { type: 'user', id: 'me' } as const
    const { id } = await graph.callAction(session, { ...me, action: 'give' })
    expect(id).toBe(toPublic(graph.ids.toRaw(id, 'demo') ?? ''))
    const card = await graph.callAction(session, { ...me, action: 'give', fields: 'owner' })
    expect(card.owner).toMatchObject({ id: toPublic(ADA) })
    expect(await graph.callAction(session, { ...me, action: 'show' })).toEqual({
      me: toPublic(ADA),
      text: ADA,
    })
  })

  it('has errors with the ids of the app, also if its node cannot be read after it', async () => {
    const { graph, session, toPublic } = await open()
    const failed = await errorOf(graph.callAction(session, { type: 'user', id: 'me', action: 'fail' }))
    expect(failed.data).toEqual({ failure: 'blocked', data: { id: toPublic(ADA) } })
    const hidden = await errorOf(
      graph.callAction(session, { type: 'user', id: 'me', action: 'hide', fields: 'text' }),
    )
    const id = hidden.originalResponse?.id ?? ''
    expect(hidden.reason).toBe('node_not_found')
    expect(id).toBe(toPublic(graph.ids.toRaw(id, 'demo') ?? ''))
  })

  it('is the same call with me and with the id of the viewer, and another call in another app', async () => {
    const { graph, session, toPublic, received, other } = await open()
    const options = { type: 'user', action: 'give', idempotencyKey: 'key' } as const
    const first = await graph.callAction(session, { ...options, id: 'me' })
    const second = await graph.callAction(session, { ...options, id: toPublic(ADA) })
    const third = await graph.callAction(other.session, { ...options, id: 'me' })
    expect(second.id).toBe(first.id)
    expect(third.id).not.toBe(other.toPublic(graph.ids.toRaw(first.id, 'demo') ?? ''))
    expect(new Set(received.map(call => Object(call).callId)).size).toBe(2)
  })
})
