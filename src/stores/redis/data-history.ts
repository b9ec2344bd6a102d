import type { ServerState } from './server-state.ts'

/** The data of a master at the beginning, which replicas that replace the master must have too. */
type MasterData = {
  /** The number of bytes of the history that a replica must have. */
  readonly requiredOffset: number
}

/**
 * The data that the masters had at the beginning, and the servers that have it now. A server that restarted
 * may have lost data, even if it looks as before. A promoted replica may lack the last writes. If a master was
 * removed, it is unknown whether its keys were moved before.
 */
export class DataHistory {
  /** By process and by history. The ids of processes and histories are random, so they share a map. */
  readonly #dataById = new Map<string, MasterData>()
  readonly #nodeIds = new Set<string>()

  /** Adds the masters at the beginning. Later, returns whether the masters have all data of the beginning. */
  continuesWith(states: readonly ServerState[]): boolean {
    const missingData = new Set(this.#dataById.values())
    const isBeginning = missingData.size === 0
    for (const state of states) {
      const data = isBeginning ? { requiredOffset: state.offset } : this.#findData(state)
      if (data === undefined) return false
      missingData.delete(data)
      this.#nodeIds.add(state.nodeId)
      this.#dataById.set(state.runId, data).set(state.historyId, data)
    }
    return missingData.size === 0
  }

  /** Returns undefined if the server may lack data. */
  #findData(state: ServerState): MasterData | undefined {
    const { nodeId, runId, historyId, previousHistoryId, historyStart, offset } = state
    const dataOfProcess = this.#dataById.get(runId)
    if (dataOfProcess !== undefined && this.#dataById.has(historyId)) return dataOfProcess
    // A master begins a new history when its first replica connects.
    if (previousHistoryId === undefined && dataOfProcess !== undefined) return dataOfProcess
    // A new master receives its data by moves of slots.
    if (previousHistoryId === undefined)
      return this.#nodeIds.has(nodeId) ? undefined : { requiredOffset: offset }
    const previousData = this.#dataById.get(previousHistoryId)
    return previousData !== undefined && historyStart > previousData.requiredOffset ? previousData : undefined
  }
}
