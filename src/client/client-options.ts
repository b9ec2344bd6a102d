import { describe } from '../base/describe.ts'
import { assertKinds, assertOptions, type OptionKinds } from '../base/options.ts'
import { isVersion } from '../base/version.ts'

/** What sends a request: `fetch`, or what stands for it. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** How calls that failed for the moment are tried again; every member may be undefined. */
export type RetryOptions = {
  /** How often a call is tried in all. Default 3. */
  readonly attempts?: number | undefined
  /**
   * Milliseconds that the wait before the second attempt takes at the most. It doubles with each attempt, and each wait is
   * a random part of it. Default 200.
   */
  readonly baseDelay?: number | undefined
  /**
   * Milliseconds that any wait takes at the most. Where the server asks for a longer one by `Retry-After`, nothing is tried
   * again. Default 10,000.
   */
  readonly maxDelay?: number | undefined
}

/** What {@link createClient} takes beside the base URL; every member may be undefined. */
export type ClientOptions = {
  /** The version of calls that name none. Default: the server's own. */
  readonly version?: string | undefined
  /**
   * Where tokens go: into the header `Authorization`, or into the query as `access_token`, for servers and proxies that drop
   * the header. Logs tend to keep queries. Default `header`.
   */
  readonly tokenPlace?: 'header' | 'query' | undefined
  /** Sends the requests. Default: the `fetch` of the runtime. */
  readonly fetch?: Fetch | undefined
  /** How transient faults are met; false: they are thrown at once. */
  readonly retry?: RetryOptions | false | undefined
  /** Whether calls of one tick are sent as one request, at most 50 in each. Default false. */
  readonly batch?: boolean | undefined
  /** Milliseconds that an attempt may take, from its request to the end of its answer. Default 30,000. */
  readonly timeout?: number | undefined
  /** The bytes that a body may have after its decoding. A larger one is not read to its end. Default 67,108,864. */
  readonly maxResponseBytes?: number | undefined
}

/** The options with their defaults. */
export type ClientSettings = {
  /** Without a slash at the end. */
  readonly baseUrl: string
  readonly version: string | undefined
  readonly tokenPlace: 'header' | 'query'
  readonly fetch: Fetch
  readonly retry: { readonly attempts: number; readonly baseDelay: number; readonly maxDelay: number }
  readonly batch: boolean
  readonly timeout: number
  readonly maxResponseBytes: number
}

const OPTIONS = {
  version: 'any',
  tokenPlace: 'any',
  fetch: 'function',
  retry: 'any',
  batch: 'boolean',
  timeout: 'any',
  maxResponseBytes: 'any',
} as const satisfies OptionKinds

const RETRY = { attempts: 3, baseDelay: 200, maxDelay: 10_000 }
const ONCE = { ...RETRY, attempts: 1 }
const TIMEOUT = 30_000
const RESPONSE_BYTES = 64 * 1024 * 1024
/** What timers can wait for at most. */
const LONGEST = 2 ** 31 - 1

const refuse = (name: string, expected: string, came: unknown): never => {
  throw new TypeError(`createClient: ${name} must be ${expected}, came ${describe(came)}`)
}

const assertNumber = (name: string, value: unknown, least: number): void => {
  if (!Number.isSafeInteger(value) || Number(value) < least || Number(value) > LONGEST)
    refuse(name, `an integer from ${least}`, value)
}

const retryOf = (given: ClientOptions['retry']): ClientSettings['retry'] => {
  if (given === false) return ONCE
  assertOptions('createClient: retry', given, Object.keys(RETRY))
  const { attempts = RETRY.attempts, baseDelay = RETRY.baseDelay, maxDelay = RETRY.maxDelay } = given ?? {}
  assertNumber('retry.attempts', attempts, 1)
  assertNumber('retry.baseDelay', baseDelay, 0)
  assertNumber('retry.maxDelay', maxDelay, 0)
  return { attempts, baseDelay, maxDelay }
}

const baseUrlOf = (baseUrl: unknown): string => {
  const url = typeof baseUrl === 'string' && URL.canParse(baseUrl) ? new URL(baseUrl) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search + url.hash !== '')
    return refuse('the base URL', 'absolute, without a query, such as https://api.example/graph', baseUrl)
  // What came is not told: it would show in a log.
  if (url.username + url.password !== '')
    throw new TypeError('createClient: the base URL must be without a name and a password')
  return url.href.replace(/\/+$/, '')
}

/** @throws TypeError for a base URL that is none, an unknown option, or one of another kind. */
export const settleClientOptions = (baseUrl: string, options: ClientOptions): ClientSettings => {
  assertKinds('createClient', options, OPTIONS)
  const { version, tokenPlace = 'header', retry, batch = false } = options
  const { timeout = TIMEOUT, maxResponseBytes = RESPONSE_BYTES } = options
  if (version !== undefined && !isVersion(version)) refuse('version', 'such as v1.0', version)
  if (tokenPlace !== 'header' && tokenPlace !== 'query')
    refuse('tokenPlace', "'header' or 'query'", tokenPlace)
  assertNumber('timeout', timeout, 1)
  assertNumber('maxResponseBytes', maxResponseBytes, 1)
  return {
    baseUrl: baseUrlOf(baseUrl),
    version,
    tokenPlace,
    // Looked up with each request, so that what instruments the runtime's own is seen.
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    retry: retryOf(retry),
    batch,
    timeout,
    maxResponseBytes,
  }
}
