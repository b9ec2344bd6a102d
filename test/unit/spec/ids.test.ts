import { createGraph } from 'kithgraph'
import { createAppIds } from 'kithgraph/app-ids'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it, vi } from 'vitest'
import { ADA, COMPILERS, createWorldStore, SCOPES } from '../../helpers/world.ts'
import { callUntyped } from '../abuse/expect-graph-error.ts'

const plain = createGraph(createMemoryStore()).ids
const appIds = createAppIds({ secrets: { 1: 'a secret of at least 16' }, current: 1 })
const scoped = createGraph(createMemoryStore(), { appIds, secret: 'random text for cursors' }).ids

describe('graph.ids', () => {
  it('returns ids unchanged without the option appIds', () => {
    expect(plain.toPublic('4', 'demo')).toBe('4')
    expect(plain.toRaw('4', 'demo')).toBe('4')
  })

  it.each(['', 'me', '04', '9223372036854775808', '10000000000000000000'])(
    'returns undefined from toRaw for an invalid id without the option appIds: %o',
    id => {
      expect(plain.toRaw(id, 'demo')).toBeUndefined()
    },
  )

  it('maps raw ids to public ids and back with the option appIds, differently for each app', () => {
    const publicId = appIds.forApp('demo').toPublic('4')
    expect(scoped.toPublic('4', 'demo')).toBe(publicId)
    expect(scoped.toPublic('4', 'other')).not.toBe(publicId)
    expect(scoped.toRaw(publicId, 'demo')).toBe('4')
    expect(scoped.toRaw(publicId, 'other')).not.toBe('4')
    expect(scoped.toRaw('4', 'demo')).toBeUndefined()
  })

  it.each([
    ['toPublic', ['me', 'demo'], 'ids.toPublic: "id" must be the id of a node; received "me"'],
    ['toPublic', [4, 'demo'], 'ids.toPublic: "id" must be the id of a node; received 4'],
    [
      'toPublic',
      ['4'],
      'ids.toPublic: "app" must be the name of an app: a well-formed string that is not empty; received undefined',
    ],
    ['toRaw', [4, 'demo'], 'ids.toRaw: "publicId" must be a string; received 4'],
    [
      'toRaw',
      ['4', ''],
      'ids.toRaw: "app" must be the name of an app: a well-formed string that is not empty; received ""',
    ],
  ] as const)('throws a TypeError for invalid arguments: %s %o', async (name, values, message) => {
    for (const ids of [plain, scoped]) {
      await expect(callUntyped(ids[name], ...values)).rejects.toThrow(new TypeError(message))
    }
  })
})

describe('the ids of an app', () => {
  it('are requested from appIds at most once per call, and only if the call maps an id', async () => {
    const forApp = vi.fn(appIds.forApp)
    const store = await createWorldStore()
    const graph = createGraph(store, { appIds: { forApp }, secret: 'random text for cursors' })
    const session = graph.session({ viewer: ADA, app: 'demo', scopes: SCOPES })
    await graph.getNode(session, { id: COMPILERS, fields: 'name' })
    expect(forApp).not.toHaveBeenCalled()
    await graph.getEdge(session, { id: 'me', edge: 'friends' })
    expect(forApp).toHaveBeenCalledOnce()
  })
})
