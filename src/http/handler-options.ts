import { normalizeBaseUrl } from '../base/base-url.ts'
import { describeValue } from '../base/describe.ts'
import type { GraphError } from '../base/errors.ts'
import { assertKnownOptions, assertOptionKinds, type OptionKinds, resolveLimits } from '../base/options.ts'
import { formatChoices, usageError } from '../base/usage-error.ts'

/** The usage of an allowance, as `rate-limiter-flexible` reports it. */
export type RateLimitUsage = {
  readonly consumedPoints: number
  readonly remainingPoints: number
  /** The number of milliseconds until points are available again. */
  readonly msBeforeNext: number
}

/** A limiter from `rate-limiter-flexible`, or an object with the same function `consume`. */
export interface RateLimiter {
  /**
   * Takes points from the allowance of a key. Rejects with a {@link RateLimitUsage} if too few points are
   * left, and with an `Error` if the limiter fails.
   */
  consume(key: string, points?: number): Promise<RateLimitUsage>
}

/** The origins whose pages may read the responses in a browser. */
export type CorsOptions = {
  /** `*`, or a list of origins such as `https://app.example`. */
  readonly origin: '*' | readonly string[]
  /** The number of seconds for which a browser may cache the permission. Default 7200. */
  readonly maxAge?: number | undefined
}

/** The limits of a request. Every member is a positive integer. */
export type RequestLimits = {
  /** The maximum length of a URL, in characters. Default 16,384. */
  readonly url: number
  /** The maximum size of a body after decompression, in bytes. Default 1,048,576. */
  readonly body: number
  /** The maximum time until a body has arrived, in milliseconds. Default 10,000. */
  readonly bodyTimeMs: number
  /**
   * The maximum number of requests in a batch. Together, they may cost ten times as much as one call. Default
   * 50.
   */
  readonly batch: number
  /**
   * The maximum length of a response, or of all responses of a batch together, in characters. Default
   * 4,194,304.
   */
  readonly response: number
}

/** Limits of a request. An omitted limit has its default value. */
export type RequestLimitOptions = { readonly [name in keyof RequestLimits]?: number | undefined }

/** Options of {@link createHandler}. Every member may be undefined. */
export type HandlerOptions = {
  /** The path where the handler is mounted, such as `/graph`. Default ''. */
  readonly basePath?: string | undefined
  /**
   * The prefix of links, such as `https://api.example/graph`. Default: the origin of the request, followed by
   * `basePath`.
   */
  readonly baseUrl?: string | undefined
  /**
   * Whether to trust `X-Forwarded-Host` and `X-Forwarded-Proto`. Enable this option only behind a proxy that
   * replaces these headers. Default false.
   */
  readonly trustProxy?: boolean | undefined
  /** The other origins whose pages may read responses in a browser. Default: none. */
  readonly cors?: CorsOptions | undefined
  /**
   * Limiters for each app and for each viewer of an app. Each call takes as many points as its cost, at least
   * 1. Default: none.
   */
  readonly rateLimit?:
    | { readonly app?: RateLimiter | undefined; readonly user?: RateLimiter | undefined }
    | undefined
  readonly limits?: RequestLimitOptions | undefined
  /**
   * The handling of names in `fields` that the schema does not have. With `error`, the call fails. With
   * `ignore`, the names are dropped, which helps clients that request more than your schema has. Only the
   * parameter `debug` then shows which names were dropped. Default `error`.
   */
  readonly unknownFields?: 'error' | 'ignore' | undefined
  /**
   * Receives every error that a response contains, including its `cause`. If the function throws, its error
   * is ignored.
   */
  readonly onError?: ((error: GraphError) => void) | undefined
}

/** The options with their defaults. */
export type HandlerSettings = Pick<HandlerOptions, 'cors' | 'onError'> & {
  readonly basePath: string
  readonly baseUrl: string | undefined
  readonly trustProxy: boolean
  readonly unknownFields: 'error' | 'ignore'
  readonly appLimiter: RateLimiter | undefined
  readonly userLimiter: RateLimiter | undefined
  readonly limits: RequestLimits
}

const OPTION_KINDS = {
  basePath: 'text',
  baseUrl: 'text',
  trustProxy: 'boolean',
  cors: 'object',
  rateLimit: 'object',
  limits: 'object',
  unknownFields: 'any',
  onError: 'function',
} as const satisfies OptionKinds

const DEFAULT_LIMITS: RequestLimits = {
  url: 16_384,
  body: 1_048_576,
  bodyTimeMs: 10_000,
  batch: 50,
  response: 4_194_304,
}

const throwInvalidOption = (name: string, expected: string, received: unknown): never => {
  throw usageError('createHandler', name, expected, describeValue(received))
}

const normalizeBasePath = (basePath = ''): string => {
  const path = basePath.replace(/\/+$/, '')
  if (path !== '' && !/^(?:\/[A-Za-z0-9._~-]+)+$/.test(path))
    throwInvalidOption('basePath', 'a path such as /graph', basePath)
  return path
}

/**
 * Whether a browser can send this text as the header `Origin`. Browser extensions and apps have origins with
 * other schemes than HTTP.
 */
const isOrigin = (text: unknown): boolean => {
  const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : undefined
  return url !== undefined && url.host !== '' && `${url.protocol}//${url.host}` === text
}

const assertOrigins = (origin: unknown): void => {
  if (origin === '*') return
  const origins: readonly unknown[] = Array.isArray(origin)
    ? origin
    : throwInvalidOption('cors.origin', '"*" or an array of origins', origin)
  for (const [index, item] of origins.entries())
    if (!isOrigin(item))
      throwInvalidOption(
        `cors.origin[${index}]`,
        'an origin such as https://app.example, without a path',
        item,
      )
}

const assertCors = (cors: CorsOptions | undefined): void => {
  if (cors === undefined) return
  assertKnownOptions('createHandler', cors, ['origin', 'maxAge'], 'cors')
  const { origin, maxAge }: { readonly origin: unknown; readonly maxAge?: unknown } = cors
  assertOrigins(origin)
  if (maxAge !== undefined && !(Number.isSafeInteger(maxAge) && Number(maxAge) >= 0))
    throwInvalidOption('cors.maxAge', 'an integer of at least 0', maxAge)
}

const assertLimiter = (name: string, limiter: unknown): void => {
  const hasConsume = typeof limiter === 'object' && limiter !== null && 'consume' in limiter
  if (limiter === undefined || (hasConsume && typeof limiter.consume === 'function')) return
  throwInvalidOption(`rateLimit.${name}`, 'an object with a function "consume"', limiter)
}

const parseUnknownFields = (unknownFields: unknown = 'error'): 'error' | 'ignore' =>
  unknownFields === 'error' || unknownFields === 'ignore'
    ? unknownFields
    : throwInvalidOption('unknownFields', formatChoices(['error', 'ignore']), unknownFields)

/**
 * Validates the options and adds the defaults.
 *
 * @throws TypeError for an unknown option, or an option of the wrong type.
 */
export const resolveHandlerOptions = (options: HandlerOptions): HandlerSettings => {
  assertOptionKinds('createHandler', options, OPTION_KINDS)
  const { basePath, baseUrl, trustProxy = false, cors, rateLimit, limits, onError } = options
  assertCors(cors)
  assertKnownOptions('createHandler', rateLimit, ['app', 'user'], 'rateLimit')
  assertLimiter('app', rateLimit?.app)
  assertLimiter('user', rateLimit?.user)
  return {
    basePath: normalizeBasePath(basePath),
    baseUrl: baseUrl === undefined ? undefined : normalizeBaseUrl('createHandler', baseUrl),
    trustProxy,
    unknownFields: parseUnknownFields(options.unknownFields),
    cors,
    onError,
    appLimiter: rateLimit?.app,
    userLimiter: rateLimit?.user,
    limits: resolveLimits('createHandler', limits, DEFAULT_LIMITS),
  }
}
