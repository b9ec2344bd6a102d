import { GraphError, REDUCE_DATA_MESSAGE } from '../base/errors.ts'
import type { ExaminedEdges } from '../core/events.ts'

/** Returns a new random number in [0, 1) for each call. */
export type DrawUniform = () => number

const UINT32_RANGE = 2 ** 32

/** Returns a cryptographically random number, which no caller can predict. */
export const drawUniform: DrawUniform = () =>
  (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / UINT32_RANGE

/** The maximum number of edges in an event. */
const MAX_REPORTED_EDGES = 5

/**
 * The error of a call that exceeds its scan limit. It names neither a list nor the drawn limit, because both
 * depend on what is hidden. It is a class of its own, so that the call is charged for what it examined.
 */
export class ScanLimitError extends GraphError {
  constructor(limit: number) {
    const hint = 'Request fewer lists, a shorter time window or no summary, or read the edge alone'
    super(
      'query_too_expensive',
      `(#1) ${REDUCE_DATA_MESSAGE}: one call may examine about ${limit} edges of lists under a policy. ${hint}`,
      { limit },
    )
  }
}

/**
 * The limit on the edges that one call may examine in lists under a policy. It is drawn for each call, so
 * that one hidden edge more or less hardly changes whether a call fails.
 */
export class ScanLimit {
  readonly #limit: number
  readonly #drawUniform: DrawUniform
  #drawnLimit: number | undefined
  #examinedByEdge: Map<string, ExaminedEdges> | undefined
  #examinedCount = 0

  constructor(limit: number, drawUniform: DrawUniform) {
    this.#limit = limit
    this.#drawUniform = drawUniform
  }

  get examinedCount(): number {
    return this.#examinedCount
  }

  /** The number of edges that may still be examined. The limit is drawn when it is first needed. */
  get remaining(): number {
    this.#drawnLimit ??= Math.floor(this.#limit * (1 + (this.#drawUniform() + this.#drawUniform()) / 2))
    return this.#drawnLimit - this.#examinedCount
  }

  /** The edges whose lists the call examined most, the largest number first. */
  get examinedByEdge(): readonly ExaminedEdges[] {
    const examined = [...(this.#examinedByEdge?.values() ?? [])]
    return examined.sort((a, b) => b.edges - a.edges).slice(0, MAX_REPORTED_EDGES)
  }

  /**
   * Counts what was examined of the lists of one edge.
   *
   * @throws GraphError `query_too_expensive` beyond the limit.
   */
  addExamined(type: string, edge: string, edgeCount: number): void {
    if (edgeCount === 0) return
    const key = `${type}.${edge}`
    this.#examinedCount += edgeCount
    this.#examinedByEdge ??= new Map()
    this.#examinedByEdge.set(key, {
      type,
      edge,
      edges: edgeCount + (this.#examinedByEdge.get(key)?.edges ?? 0),
    })
    this.assertWithinLimit(0)
  }

  /** @throws GraphError `query_too_expensive` if so many further edges are more than may be examined. */
  assertWithinLimit(furtherCount: number): void {
    if (furtherCount > this.remaining) throw new ScanLimitError(this.#limit)
  }
}

/** A call that waits for a slot. The key is its viewer and app. */
type WaitingCall = { readonly key: string; readonly resume: () => void }

/** The permission to examine further edges, which a call holds until it ends. */
export type ScanSlot = { release(): void }

/** The maximum number of calls with a slot: in total, and of one viewer of an app. */
type SlotLimits = { readonly total: number; readonly perKey: number }

/**
 * Gives slots to calls in the order of their requests. A call that waits because of its own viewer does not
 * delay other viewers.
 */
export class ScanSlots {
  readonly #limits: SlotLimits
  readonly #slotCountsByKey = new Map<string, number>()
  readonly #waitingCalls = new Set<WaitingCall>()
  #totalCount = 0

  constructor(limits: SlotLimits) {
    this.#limits = limits
  }

  /**
   * Waits for a slot. `limitWait` bounds the wait; if it rejects, the call stops waiting.
   *
   * @throws the error that `limitWait` rejects with.
   */
  async take(key: string, limitWait: (pendingSlot: Promise<void>) => Promise<void>): Promise<ScanSlot> {
    if (!this.#hasFreeSlot(key)) await this.#wait(key, limitWait)
    else this.#changeCount(key, 1)
    return { release: () => this.#release(key) }
  }

  async #wait(key: string, limitWait: (pendingSlot: Promise<void>) => Promise<void>): Promise<void> {
    let waitingCall: WaitingCall | undefined
    const pendingSlot = new Promise<void>(resume => {
      waitingCall = { key, resume }
      this.#waitingCalls.add(waitingCall)
    })
    try {
      await limitWait(pendingSlot)
    } catch (error) {
      // A slot that was given at the same moment goes to the next call.
      if (waitingCall !== undefined && !this.#waitingCalls.delete(waitingCall)) this.#release(key)
      throw error
    }
  }

  #hasFreeSlot(key: string): boolean {
    return (
      this.#totalCount < this.#limits.total && (this.#slotCountsByKey.get(key) ?? 0) < this.#limits.perKey
    )
  }

  #changeCount(key: string, change: 1 | -1): void {
    this.#totalCount += change
    const count = (this.#slotCountsByKey.get(key) ?? 0) + change
    if (count === 0) this.#slotCountsByKey.delete(key)
    else this.#slotCountsByKey.set(key, count)
  }

  #release(key: string): void {
    this.#changeCount(key, -1)
    for (const waitingCall of this.#waitingCalls) {
      if (!this.#hasFreeSlot(waitingCall.key)) continue
      this.#waitingCalls.delete(waitingCall)
      this.#changeCount(waitingCall.key, 1)
      waitingCall.resume()
    }
  }
}

/** The number of edges that a call may examine without a slot. */
export const MAX_EDGES_WITHOUT_SLOT = 10_000

/**
 * The slots of this process. All graphs share them, because they also share the processor and the memory.
 */
export const PROCESS_SLOTS = new ScanSlots({ total: 8, perKey: 2 })
