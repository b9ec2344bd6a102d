import { createGraph } from 'kithgraph'
import { createAppIds } from 'kithgraph/app-ids'
import { createMemoryStore } from 'kithgraph/memory'
import { describe, expect, it } from 'vitest'
import { loosely } from '../abuse/fault-of.ts'

const plain = createGraph(createMemoryStore()).ids
const appIds = createAppIds({ secrets: { 1: 'a secret of at least 16' }, current: 1 })
const scoped = createGraph(createMemoryStore(), { appIds, secret: 'random text for cursors' }).ids

describe('the ids of a graph', () => {
  it('are for every app those that the store holds, where there are no appIds', () => {
    expect(plain.toPublic('4', 'demo')).toBe('4')
    expect(plain.toRaw('4', 'demo')).toBe('4')
  })

  it.each(['', 'me', '04', '9223372036854775808', '10000000000000000000'])(
    'are none where there are no appIds: %o',
    id => {
      expect(plain.toRaw(id, 'demo')).toBeUndefined()
    },
  )

  it('are those of appIds, where there are some', () => {
    const publicId = appIds.forApp('demo').toPublic('4')
    expect(scoped.toPublic('4', 'demo')).toBe(publicId)
    expect(scoped.toPublic('4', 'other')).not.toBe(publicId)
    expect(scoped.toRaw(publicId, 'demo')).toBe('4')
    expect(scoped.toRaw(publicId, 'other')).not.toBe('4')
    expect(scoped.toRaw('4', 'demo')).toBeUndefined()
  })

  it.each([
    ['toPublic', ['me', 'demo'], 'ids.toPublic: id must be the id of a node, came "me"'],
    ['toPublic', [4, 'demo'], 'ids.toPublic: id must be the id of a node, came 4'],
    ['toPublic', ['4'], 'ids.toPublic: app must be the name of an app, came undefined'],
    ['toRaw', [4, 'demo'], 'ids.toRaw: publicId must be text, came 4'],
    ['toRaw', ['4', ''], 'ids.toRaw: app must be the name of an app, came ""'],
  ] as const)('are not asked for wrongly: %s %o', async (name, values, message) => {
    for (const ids of [plain, scoped]) {
      await expect(loosely(ids[name], ...values)).rejects.toThrow(new TypeError(message))
    }
  })
})
