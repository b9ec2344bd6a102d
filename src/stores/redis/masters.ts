import type { RedisClient } from './command-sender.ts'
import { SLOT_COUNT } from './key-slot.ts'
import { joinFingerprints, listMasters, readServerState, type ServerState } from './server-state.ts'

/** The masters of all hash slots, as they report about themselves. */
export type Masters = {
  /** Equal for two readings if the masters had the same slots and data all the time in between. */
  readonly fingerprint: string
  readonly states: readonly ServerState[]
}

/**
 * `unknown`: the user of the client may not read the state of servers. `unclear`: the masters disagree about
 * their slots, or the client does not know all of them, for example during a failover.
 */
type MastersReading = Masters | 'unknown' | 'unclear'

/** Whether a command failed because the user may not run it, or because the server does not offer it. */
const isForbidden = (error: unknown): boolean =>
  error instanceof Error && /^(?:NOPERM|ERR unknown command)/.test(error.message)

/**
 * Reads the states of all masters. The servers that the client takes for masters may have been replaced. So
 * their own states must cover each slot exactly once.
 *
 * @throws the error of a server that cannot be reached.
 */
export const readMasters = async (client: RedisClient): Promise<MastersReading> => {
  let states: readonly ServerState[]
  try {
    const readings = await Promise.all(listMasters(client).map(readServerState))
    states = readings.filter(({ slots }) => slots.size > 0)
  } catch (error) {
    if (isForbidden(error)) return 'unknown'
    throw error
  }
  const slotCount = states.reduce((sum, { slots }) => sum + slots.size, 0)
  const isClear = slotCount === SLOT_COUNT && states.every(({ slotMap }) => slotMap === states[0]?.slotMap)
  return isClear ? { fingerprint: joinFingerprints(states), states } : 'unclear'
}

/**
 * Makes the replicas confirm at once what they have received, and ignores errors, because they confirm it once a second
 * anyway. Other commands of the client wait meanwhile, at most for the timeout.
 */
export const requestConfirmations = async (client: RedisClient, timeoutMs: number): Promise<void> => {
  const requests = listMasters(client).map(async master => master.call('wait', ['1', `${timeoutMs}`]))
  await Promise.allSettled(requests)
}

/**
 * Whether all connected replicas have what their masters had at an earlier reading with the same fingerprint.
 * False if a master has lost the connections to all of its replicas, because one of them may replace it.
 */
export const isReplicated = (earlier: Masters, now: Masters): boolean =>
  now.states.every(({ runId, replicaOffsets, hasReplicas }) => {
    if (replicaOffsets.length === 0) return !hasReplicas
    const required = earlier.states.find(state => state.runId === runId)?.offset
    return required !== undefined && replicaOffsets.every(offset => offset >= required)
  })
