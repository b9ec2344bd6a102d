import { createGraph, defineSchema, field, node, parameter, type SessionOptions } from 'kithgraph'
import { actionsOf } from 'kithgraph/actions'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { errorOf } from '../../helpers/error-of.ts'

const schema = defineSchema({ user: node({ fields: { name: field.string() } }) }, { viewers: ['user'] })
const action = actionsOf(schema)
const secret = 'a secret of at least 32 characters'

describe('a key', () => {
  it('belongs to the app, the viewer or else the claims, the action and its node', async () => {
    const ids: string[] = []
    const names = ['first', 'second'] as const
    const actions = names.map(name =>
      action('user', name, {
        policy: 'anyone',
        run: ({ callId }) => {
          ids.push(callId)
        },
      }),
    )
    const graph = createGraph(createMemoryStore(), { schema, actions })
    await graph.write(
      ['1', '2'].map(id => ({ op: 'putNode', node: { id, type: 'user', fields: {} } }) as const),
    )
    const call = async (session: SessionOptions, id = '1', name: (typeof names)[number] = 'first') => {
      await graph.callAction(graph.session(session), { type: 'user', id, action: name, idempotencyKey: 'k' })
      return ids.at(-1)
    }
    const app = 'web'
    const distinctIds = new Set([
      await call({ app }),
      await call({ app: 'other' }),
      await call({ app, viewer: '1' }),
      await call({ app, viewer: '2' }),
      await call({ app }, '2'),
      await call({ app }, '1', 'second'),
    ])
    expect(distinctIds.size).toBe(6)
    const callWithClaims = async (viewer: string | undefined) =>
      new Set([
        await call({ app, viewer, claims: { tenant: 'a' } }),
        await call({ app, viewer, claims: { tenant: 'b' } }),
      ])
    expect((await callWithClaims(undefined)).size).toBe(2)
    expect((await callWithClaims('1')).size).toBe(1)
  })

  it('was used with other parameters after a deployment that adds a default', async () => {
    const store = createMemoryStore()
    const deploy = (suffix?: string) => {
      const suffixed = parameter.string(suffix === undefined ? {} : { default: suffix })
      const rename = action('user', 'rename', {
        policy: 'anyone',
        parameters: { suffix: suffixed },
        run: ({ source, parameters, write }) =>
          write([{ op: 'patchNode', id: source.id, fields: { name: `Ada${parameters.suffix ?? ''}` } }]),
      })
      const graph = createGraph(store, { schema, actions: [rename], secret })
      const session = graph.session({ viewer: '1', app: 'web' })
      return {
        graph,
        call: () => graph.callAction(session, { id: 'me', action: 'rename', idempotencyKey: 'k' }),
      }
    }
    const { graph, call } = deploy()
    await graph.write([{ op: 'putNode', node: { id: '1', type: 'user', fields: {} } }])
    await call()
    expect(await call()).toMatchObject({ success: true })
    expect((await errorOf(deploy('!').call())).data).toEqual({ failure: 'key_reused' })
  })
})
