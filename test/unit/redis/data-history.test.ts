import { describe, expect, it } from 'vitest'
import { DataHistory } from '../../../src/stores/redis/data-history.ts'
import type { ServerState } from '../../../src/stores/redis/server-state.ts'

/** The state of a master that has always been a master. */
const createState = (name: string, overrides: Partial<ServerState> = {}): ServerState => ({
  nodeId: `node ${name}`,
  runId: `run ${name}`,
  historyId: `history ${name}`,
  offset: 100,
  previousHistoryId: undefined,
  historyStart: -1,
  slots: new Set(),
  hasMovingSlots: false,
  slotMap: '',
  replicaOffsets: [],
  hasReplicas: false,
  fingerprint: '',
  ...overrides,
})

const A = createState('a')
const B = createState('b')
/** The replica of a master after its promotion. */
const createPromoted = (name: string, of: ServerState, overrides: Partial<ServerState> = {}): ServerState =>
  createState(name, { previousHistoryId: of.historyId, historyStart: of.offset + 1, ...overrides })

const continues = (...steps: readonly (readonly ServerState[])[]): boolean => {
  const history = new DataHistory()
  return [[A, B], ...steps].map(states => history.continuesWith(states)).every(Boolean)
}

describe('the data of the masters of a cluster', () => {
  it.each<[string, ...(readonly ServerState[])[]]>([
    ['while nothing changes', [A, B], [B, A]],
    ['after more writes', [createState('a', { offset: 900 }), B]],
    ['after the promotion of a replica with all writes', [createPromoted('c', A), B]],
    ['after a second promotion', [createPromoted('c', A), B], [createPromoted('d', createState('c')), B]],
    ['after a failover and back', [createPromoted('c', A), B], [createPromoted('a', createState('c')), B]],
    ['after the first replica has connected', [createState('a', { historyId: 'new' }), B]],
    ['after a new master was added', [A, B, createState('c')]],
    ['after a restart with a copy of all writes', [createPromoted('a', A, { runId: 'new' }), B]],
  ])('is still complete %s', (_, ...steps) => {
    expect(continues(...steps)).toBe(true)
  })

  it.each<[string, ...(readonly ServerState[])[]]>([
    ['a restart', [createState('a', { runId: 'new', historyId: 'new' }), B]],
    ['a restart with an old copy', [createPromoted('a', A, { runId: 'new', historyStart: 100 }), B]],
    [
      'the promotion of a replica without the last writes',
      [createPromoted('c', A, { historyStart: 100 }), B],
    ],
    ['the promotion of the replica of a restarted master', [createPromoted('c', createState('new')), B]],
    ['two promotions of which only the second one was seen', [createPromoted('d', createState('c')), B]],
    ['the removal of a master', [A]],
    ['the removal of a new master', [A, B, createState('c')], [A, B]],
  ])('may be incomplete after %s', (_, ...steps) => {
    expect(continues(...steps)).toBe(false)
  })
})
