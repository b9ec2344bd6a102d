import { describeValue } from '../base/describe.ts'
import { assertKnownOptions, assertOptionKinds, type OptionKinds } from '../base/options.ts'
import { formatChoices, usageError } from '../base/usage-error.ts'
import { isVersion } from '../base/version.ts'
import { resolveBaseUrl } from './resolve-base-url.ts'

/** A function that sends a request: `fetch`, or a replacement for it. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** Options for the retries of calls that failed with a transient error. Every member may be undefined. */
export type RetryOptions = {
  /** The total number of attempts of a call. Default 3. */
  readonly attempts?: number | undefined
  /**
   * The maximum wait before the second attempt, in milliseconds. This maximum doubles with each attempt, and
   * each wait is a random fraction of the maximum. Default 200.
   */
  readonly baseDelayMs?: number | undefined
  /**
   * The maximum wait before any attempt, in milliseconds. If `Retry-After` requests a longer wait, the call
   * fails without another attempt. Default 10,000.
   */
  readonly maxDelayMs?: number | undefined
}

/** Options of {@link createClient}. Every member may be undefined. */
export type ClientOptions = {
  /** The version of calls without the option `version`. Default: the server's default version. */
  readonly version?: string | undefined
  /**
   * The part of a request that contains the token: the header `Authorization`, or the parameter
   * `access_token` of the query. Use `query` only for servers and proxies that drop the header, because logs
   * usually contain queries. Default `header`.
   */
  readonly tokenIn?: 'header' | 'query' | undefined
  /** Sends the requests. Receives absolute URLs. Default: the `fetch` of the runtime. */
  readonly fetch?: Fetch | undefined
  /** Options for the retries of transient errors; `false` turns retries off. */
  readonly retry?: RetryOptions | false | undefined
  /**
   * Whether the client sends all calls of one tick together, with at most 50 calls in a request. Default
   * false.
   */
  readonly batch?: boolean | undefined
  /**
   * The maximum duration of an attempt, from its request to the end of its response, in milliseconds. Default
   * 30,000.
   */
  readonly timeoutMs?: number | undefined
  /**
   * The maximum size of a body after decoding, in bytes. The client stops reading a larger body. Default
   * 67,108,864.
   */
  readonly maxResponseBytes?: number | undefined
}

/** The options with their defaults. */
export type ClientSettings = {
  /** An absolute URL without a slash at the end. */
  readonly baseUrl: string
  readonly version: string | undefined
  readonly tokenIn: 'header' | 'query'
  readonly fetch: Fetch
  readonly retry: { readonly attempts: number; readonly baseDelayMs: number; readonly maxDelayMs: number }
  readonly batch: boolean
  readonly timeoutMs: number
  readonly maxResponseBytes: number
}

const OPTION_KINDS = {
  version: 'any',
  tokenIn: 'any',
  fetch: 'function',
  retry: 'any',
  batch: 'boolean',
  timeoutMs: 'any',
  maxResponseBytes: 'any',
} as const satisfies OptionKinds

const DEFAULT_RETRY = { attempts: 3, baseDelayMs: 200, maxDelayMs: 10_000 }
const NO_RETRY = { ...DEFAULT_RETRY, attempts: 1 }
const DEFAULT_TIMEOUT_MS = 30_000
const DEFAULT_MAX_RESPONSE_BYTES = 64 * 1024 * 1024
/** The longest delay that timers support, about 25 days. */
const MAX_TIMER_MS = 2 ** 31 - 1

const throwInvalidOption = (name: string, expected: string, received: unknown): never => {
  throw usageError('createClient', name, expected, describeValue(received))
}

const assertInteger = (name: string, value: unknown, min: number): void => {
  if (!Number.isSafeInteger(value) || Number(value) < min || Number(value) > MAX_TIMER_MS)
    throwInvalidOption(name, `an integer from ${min} to ${MAX_TIMER_MS}`, value)
}

const resolveRetry = (retry: ClientOptions['retry']): ClientSettings['retry'] => {
  if (retry === false) return NO_RETRY
  assertKnownOptions('createClient', retry, Object.keys(DEFAULT_RETRY), 'retry')
  const {
    attempts = DEFAULT_RETRY.attempts,
    baseDelayMs = DEFAULT_RETRY.baseDelayMs,
    maxDelayMs = DEFAULT_RETRY.maxDelayMs,
  } = retry ?? {}
  assertInteger('retry.attempts', attempts, 1)
  assertInteger('retry.baseDelayMs', baseDelayMs, 0)
  assertInteger('retry.maxDelayMs', maxDelayMs, 0)
  return { attempts, baseDelayMs, maxDelayMs }
}

/**
 * Validates the options and adds the defaults.
 *
 * @throws TypeError for an invalid base URL, an unknown option, or an option of the wrong type.
 */
export const resolveClientOptions = (baseUrl: string, options: ClientOptions): ClientSettings => {
  assertOptionKinds('createClient', options, OPTION_KINDS)
  const { version, tokenIn = 'header', retry, batch = false } = options
  const { timeoutMs = DEFAULT_TIMEOUT_MS, maxResponseBytes = DEFAULT_MAX_RESPONSE_BYTES } = options
  if (version !== undefined && !isVersion(version))
    throwInvalidOption('version', 'a version such as v1.0', version)
  if (tokenIn !== 'header' && tokenIn !== 'query')
    throwInvalidOption('tokenIn', formatChoices(['header', 'query']), tokenIn)
  assertInteger('timeoutMs', timeoutMs, 1)
  assertInteger('maxResponseBytes', maxResponseBytes, 1)
  return {
    baseUrl: resolveBaseUrl(baseUrl),
    version,
    tokenIn,
    // Reads `globalThis.fetch` for each request, so that instrumentation of it applies.
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    retry: resolveRetry(retry),
    batch,
    timeoutMs,
    maxResponseBytes,
  }
}
