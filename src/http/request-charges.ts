import { GraphError, REDUCE_DATA_MESSAGE } from '../base/errors.ts'
import type { Session } from '../base/session.ts'
import { settleInTime } from '../store/settle-in-time.ts'
import type { HandlerSettings, RateLimiter, RateLimitUsage } from './handler-options.ts'
import type { ResponseSizeLimit } from './response-size-limit.ts'

/** The minimum charge of a call, even if it fails. */
const MIN_CHARGE = 1
const MAX_USAGE_PERCENT = 100
const MS_PER_SECOND = 1000

type LimiterTarget = {
  readonly kind: 'app' | 'user'
  readonly limiter: RateLimiter | undefined
  readonly key: string
}

const isRateLimitUsage = (value: unknown): value is RateLimitUsage =>
  typeof value === 'object' && value !== null && 'msBeforeNext' in value && !(value instanceof Error)

const rateLimitedError = (kind: 'app' | 'user', { msBeforeNext }: RateLimitUsage): GraphError => {
  const retryAfter = Math.max(1, Math.ceil(msBeforeNext / MS_PER_SECOND))
  return kind === 'app'
    ? new GraphError('app_rate_limited', '(#4) Application request limit reached', {
        retry_after: retryAfter,
      })
    : new GraphError('user_rate_limited', '(#17) User request limit reached', { retry_after: retryAfter })
}

/**
 * Takes points from an allowance.
 *
 * @throws GraphError `app_rate_limited` or `user_rate_limited` if too few points are left; `store_error` if
 * the limiter fails.
 */
const consumePoints = async (
  { kind, limiter, key }: LimiterTarget,
  points: number,
): Promise<RateLimitUsage | undefined> => {
  try {
    return await limiter?.consume(key, points)
  } catch (rejection) {
    if (isRateLimitUsage(rejection)) throw rateLimitedError(kind, rejection)
    throw new GraphError(
      'store_error',
      '(#2) The rate limit cannot be checked at present',
      {},
      { cause: rejection },
    )
  }
}

/** The cost budget that the requests of a batch share. */
export class BatchBudget {
  #remainingPoints: number

  constructor(points: number) {
    this.#remainingPoints = points
  }

  /**
   * Takes a cost from the budget.
   *
   * @throws GraphError `query_too_expensive`.
   */
  spend(cost: number): void {
    if (cost > this.#remainingPoints) {
      const limit = this.#remainingPoints
      throw new GraphError(
        'query_too_expensive',
        `(#1) ${REDUCE_DATA_MESSAGE}: the cost of this request is ${cost}, and the budget of its batch has ${limit} left`,
        { cost, limit, fits: 0 },
      )
    }
    this.#remainingPoints -= cost
  }

  /** Takes points for a call that has already failed. If too few points are left, takes all of them. */
  takeAvailable(points: number): void {
    this.#remainingPoints = Math.max(0, this.#remainingPoints - points)
  }
}

/** The budget and the limiters that a request is charged to, and its deadline. */
export type ChargeLimits = {
  readonly settings: Pick<HandlerSettings, 'appLimiter' | 'userLimiter'>
  /** The budget of the batch that contains the request. */
  readonly budget: BatchBudget | undefined
  readonly responseLimit: ResponseSizeLimit
  /** The deadline, in milliseconds since the epoch. */
  readonly deadline: number
}

/**
 * The charges of one request to the budget of its batch, to the limit of the response size, and to the
 * allowances of its app and viewer.
 */
export class RequestCharges {
  /** The used share of the app's allowance, in percent; undefined without a limiter. */
  appUsagePercent: number | undefined
  readonly #limits: ChargeLimits
  #session: Session | undefined
  #isCharged = false
  #responseLength = 0

  constructor(limits: ChargeLimits) {
    this.#limits = limits
  }

  /** Takes over the usage that a request of this batch reported, if that usage is higher. */
  mergeUsage({ appUsagePercent }: RequestCharges): void {
    if (appUsagePercent !== undefined)
      this.appUsagePercent = Math.max(appUsagePercent, this.appUsagePercent ?? 0)
  }

  /** Sets the session of the request. After this, a failure is charged too. */
  setSession(session: Session): void {
    this.#session = session
  }

  /** Whether the session of the request is known. */
  get hasSession(): boolean {
    return this.#session !== undefined
  }

  /**
   * Charges the cost of a call, at least 1.
   *
   * @throws GraphError `query_too_expensive`, `app_rate_limited` or `user_rate_limited`; `store_error` if a
   * limiter fails; `timeout` if a limiter does not respond.
   */
  charge(cost: number, session: Session): Promise<void> | undefined {
    const points = Math.max(MIN_CHARGE, cost)
    this.#limits.budget?.spend(points)
    return this.#chargeLimiters(points, session)
  }

  /** Charges points without waiting for the limiters. Their result does not change the response. */
  chargeWithoutWaiting(points: number, session: Session): void {
    this.#limits.budget?.takeAvailable(points)
    this.#consumeFromLimiters(points, session).catch(() => undefined)
  }

  /**
   * Subtracts the growth of a response from its size limit. `length` is the current length of the response.
   *
   * @throws GraphError `response_too_large`.
   */
  trackLength(length: number): void {
    this.#limits.responseLimit.take(length - this.#responseLength, this.#responseLength)
    this.#responseLength = length
  }

  /** Marks a batch as charged, because its items are charged instead. */
  delegateToItems(): void {
    this.#isCharged = true
  }

  /**
   * Charges the minimum for an item of a batch that is rejected before it runs. Does not wait for the
   * limiters.
   */
  chargeRejectedItem(): void {
    if (this.#session !== undefined) this.chargeWithoutWaiting(MIN_CHARGE, this.#session)
  }

  /**
   * Charges the minimum if a request with a session has not been charged.
   *
   * @throws GraphError in the same cases as `charge`.
   */
  ensureCharged(): Promise<void> | undefined {
    if (this.#isCharged || this.#session === undefined) return undefined
    return this.charge(MIN_CHARGE, this.#session)
  }

  /**
   * Charges the minimum if a request with a session failed before it was charged.
   *
   * @throws GraphError in the same cases as `charge`, but never `query_too_expensive`.
   */
  ensureChargedAfterError(): Promise<void> | undefined {
    if (this.#isCharged || this.#session === undefined) return undefined
    this.#limits.budget?.takeAvailable(MIN_CHARGE)
    return this.#chargeLimiters(MIN_CHARGE, this.#session)
  }

  #chargeLimiters(points: number, session: Session): Promise<void> | undefined {
    this.#isCharged = true
    const { settings, deadline } = this.#limits
    const hasLimiter = settings.appLimiter !== undefined || settings.userLimiter !== undefined
    return hasLimiter ? settleInTime(this.#recordUsage(points, session), undefined, deadline) : undefined
  }

  /**
   * Charges the viewer first, so that a viewer without points takes no points from the other viewers of the
   * app. Returns the usage of the app.
   */
  async #consumeFromLimiters(points: number, { app, viewer }: Session): Promise<RateLimitUsage | undefined> {
    const { appLimiter, userLimiter } = this.#limits.settings
    if (viewer !== undefined)
      await consumePoints({ kind: 'user', limiter: userLimiter, key: `${viewer} ${app}` }, points)
    return consumePoints({ kind: 'app', limiter: appLimiter, key: app }, points)
  }

  async #recordUsage(cost: number, session: Session): Promise<void> {
    try {
      const limiterUsage = await this.#consumeFromLimiters(cost, session)
      if (limiterUsage !== undefined) {
        const totalPoints = limiterUsage.consumedPoints + limiterUsage.remainingPoints
        this.appUsagePercent = Math.min(
          MAX_USAGE_PERCENT,
          Math.floor((limiterUsage.consumedPoints * MAX_USAGE_PERCENT) / Math.max(1, totalPoints)),
        )
      }
    } catch (error) {
      if (error instanceof GraphError && error.reason === 'app_rate_limited')
        this.appUsagePercent = MAX_USAGE_PERCENT
      throw error
    }
  }
}
