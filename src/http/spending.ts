import { GraphError } from '../base/faults.ts'
import type { Session } from '../base/session.ts'
import { settle } from '../store/settle.ts'
import type { AnswerRoom } from './answer-room.ts'
import type { HandlerSettings, RateLimiter, Usage } from './handler-options.ts'

/** The least that a call is charged, also one that fails. */
const LEAST = 1
const PERCENT = 100
const SECOND = 1000

type Who = { readonly of: 'app' | 'user'; readonly limiter: RateLimiter | undefined; readonly key: string }

const isUsage = (value: unknown): value is Usage =>
  typeof value === 'object' && value !== null && 'msBeforeNext' in value && !(value instanceof Error)

const limited = (of: 'app' | 'user', { msBeforeNext }: Usage): GraphError => {
  const retryAfter = Math.max(1, Math.ceil(msBeforeNext / SECOND))
  return of === 'app'
    ? new GraphError('rate_limited_app', '(#4) Application request limit reached', {
        retry_after: retryAfter,
      })
    : new GraphError('rate_limited_user', '(#17) User request limit reached', { retry_after: retryAfter })
}

/**
 * Takes points off an allowance.
 *
 * @throws GraphError `rate_limited_app`, `rate_limited_user`; `store_fault` where the limiter cannot tell.
 */
const consume = async ({ of, limiter, key }: Who, points: number): Promise<Usage | undefined> => {
  try {
    return await limiter?.consume(key, points)
  } catch (refusal) {
    if (isUsage(refusal)) throw limited(of, refusal)
    throw new GraphError(
      'store_fault',
      '(#2) The rate limit cannot be checked at present',
      {},
      { cause: refusal },
    )
  }
}

/** The budget that the requests of a batch share: what one of them spends, the others no longer have. */
export class Budget {
  #left: number

  constructor(points: number) {
    this.#left = points
  }

  /** @throws GraphError `too_costly`. */
  spend(cost: number): void {
    if (cost > this.#left) {
      const limit = this.#left
      throw new GraphError(
        'too_costly',
        `(#1) Please reduce the amount of data you ask for: the cost of this request is ${cost}, the budget of its batch has ${limit} left`,
        { cost, limit, fits: 0 },
      )
    }
    this.#left -= cost
  }

  /** Takes points for what has failed already: as many as there are. */
  take(points: number): void {
    this.#left = Math.max(0, this.#left - points)
  }
}

/** What one request may spend, and until when. */
export type Allowance = {
  readonly settings: Pick<HandlerSettings, 'appLimiter' | 'userLimiter'>
  /** Of the batch that it is part of. */
  readonly budget: Budget | undefined
  readonly room: AnswerRoom
  /** Milliseconds since the epoch. */
  readonly deadline: number
}

/** What one request spends: of its batch's budget, of the room for answers, and of the allowances of its app and its viewer. */
export class Spending {
  /** The share of the app's allowance that is used, in percent; undefined where nobody counts it. */
  usage: number | undefined
  readonly #allowance: Allowance
  #session: Session | undefined
  #isCharged = false
  #written = 0

  constructor(allowance: Allowance) {
    this.#allowance = allowance
  }

  /** Takes over the share that a request of this batch found used: of several, the highest. */
  learn({ usage }: Spending): void {
    if (usage !== undefined) this.usage = Math.max(usage, this.usage ?? 0)
  }

  /** Whom the request is for: who is known is charged for what fails, too. */
  meet(session: Session): void {
    this.#session = session
  }

  /** Whether it is known by now whom the request is for. */
  get isMet(): boolean {
    return this.#session !== undefined
  }

  /**
   * Charges the cost of a call, at least 1.
   *
   * @throws GraphError `too_costly`, `rate_limited_app`, `rate_limited_user`; `deadline` for a limiter that says nothing.
   */
  charge(cost: number, session: Session): Promise<void> | undefined {
    const points = Math.max(LEAST, cost)
    this.#allowance.budget?.spend(points)
    return this.#pay(points, session)
  }

  /** Charges a call that exceeded its scan limit. Nobody waits for it, and what the limiters say changes nothing of the response. */
  chargeScan(points: number, session: Session): void {
    this.#allowance.budget?.take(points)
    this.#consume(points, session).catch(() => undefined)
  }

  /** Takes of the room what the answer has grown by. @throws GraphError `answer_too_large`. */
  wrote(length: number): void {
    this.#allowance.room.take(length - this.#written, this.#written)
    this.#written = length
  }

  /** Leaves it to the items of a batch to be charged: the batch itself is not. */
  leaveToItems(): void {
    this.#isCharged = true
  }

  /** Charges the least for an item of a batch that is rejected before it runs. Nobody waits for it. */
  chargeRejectedItem(): void {
    if (this.#session !== undefined) this.chargeScan(LEAST, this.#session)
  }

  /**
   * Charges the least where a request that is known whose it is was answered without a charge.
   *
   * @throws GraphError as `charge`.
   */
  settle(): Promise<void> | undefined {
    if (this.#isCharged || this.#session === undefined) return undefined
    return this.charge(LEAST, this.#session)
  }

  /**
   * Charges the least where a request that is known whose it is failed before it could be charged.
   *
   * @throws GraphError as `charge`, `too_costly` apart.
   */
  settleFailed(): Promise<void> | undefined {
    if (this.#isCharged || this.#session === undefined) return undefined
    this.#allowance.budget?.take(LEAST)
    return this.#pay(LEAST, this.#session)
  }

  #pay(points: number, session: Session): Promise<void> | undefined {
    this.#isCharged = true
    const { settings, deadline } = this.#allowance
    const isCounted = settings.appLimiter !== undefined || settings.userLimiter !== undefined
    return isCounted ? settle(this.#learnUsage(points, session), undefined, deadline) : undefined
  }

  /** The viewer first: one who has nothing left takes nothing from the others of the app. Returns the usage of the app. */
  async #consume(points: number, { app, viewer }: Session): Promise<Usage | undefined> {
    const { appLimiter, userLimiter } = this.#allowance.settings
    if (viewer !== undefined)
      await consume({ of: 'user', limiter: userLimiter, key: `${viewer} ${app}` }, points)
    return consume({ of: 'app', limiter: appLimiter, key: app }, points)
  }

  async #learnUsage(cost: number, session: Session): Promise<void> {
    try {
      const used = await this.#consume(cost, session)
      if (used !== undefined) {
        const points = used.consumedPoints + used.remainingPoints
        this.usage = Math.min(PERCENT, Math.floor((used.consumedPoints * PERCENT) / Math.max(1, points)))
      }
    } catch (error) {
      if (error instanceof GraphError && error.data.reason === 'rate_limited_app') this.usage = PERCENT
      throw error
    }
  }
}
