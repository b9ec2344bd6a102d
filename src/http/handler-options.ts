import { describe } from '../base/describe.ts'
import type { GraphError } from '../base/faults.ts'
import { assertKinds, assertOptions, type OptionKinds } from '../base/options.ts'

/** How much of an allowance is used, as `rate-limiter-flexible` tells it. */
export type Usage = {
  readonly consumedPoints: number
  readonly remainingPoints: number
  /** Milliseconds until there is some again. */
  readonly msBeforeNext: number
}

/**
 * Counts what is used up: any limiter of `rate-limiter-flexible`, or what does the same. It rejects with a {@link Usage}
 * where the allowance is used up, and with an `Error` where it cannot tell.
 */
export interface RateLimiter {
  /** Takes points off the allowance of a key. */
  consume(key: string, points?: number): Promise<Usage>
}

/** Who may call from other origins. */
export type CorsOptions = {
  /** `*`, or a list of origins such as `https://app.example`. */
  readonly origin: '*' | readonly string[]
  /** Seconds for which a browser may remember it. Default 7200. */
  readonly maxAge?: number | undefined
}

/** What a request may come to at the most. Every member is a positive integer. */
export type RequestLimits = {
  /** Characters of a URL. Default 16,384. */
  readonly url: number
  /** Bytes of a body, those that come out of gzip. Default 1,048,576. */
  readonly body: number
  /** Milliseconds that a body may take to arrive. Default 10,000. */
  readonly bodyTime: number
  /** Requests in a batch. Together they may cost ten times what one call may. Default 50. */
  readonly batch: number
  /** Characters of an answer; of a batch, of its answers together. Default 4,194,304. */
  readonly answer: number
}

/** What {@link createHandler} takes beside the graph; every member may be undefined. */
export type HandlerOptions = {
  /** What paths begin with where the handler is mounted, such as `/graph`. Default ''. */
  readonly basePath?: string | undefined
  /** What links begin with, such as `https://api.example/graph`. Default: the origin of the request, and `basePath`. */
  readonly baseUrl?: string | undefined
  /** Whether `X-Forwarded-Host` and `X-Forwarded-Proto` are believed: only behind a proxy that replaces them. Default false. */
  readonly trustProxy?: boolean | undefined
  /** Default: no other origin may call. */
  readonly cors?: CorsOptions | undefined
  /** Limiters for each app and for each viewer of an app; points are the cost of calls, at least 1 each. Default: none. */
  readonly rateLimit?:
    | { readonly app?: RateLimiter | undefined; readonly user?: RateLimiter | undefined }
    | undefined
  readonly limits?: { readonly [name in keyof RequestLimits]?: number | undefined } | undefined
  /**
   * What becomes of names in `fields` that the schema does not have: `error` fails the call, `ignore` drops them, for clients
   * that request fields which you do not have. Only `debug` then shows that they were dropped. Default `error`.
   */
  readonly unknownFields?: 'error' | 'ignore' | undefined
  /** Told of every fault that is answered, its `cause` included; what it throws is ignored. */
  readonly onFault?: ((fault: GraphError) => void) | undefined
}

/** The options with their defaults. */
export type HandlerSettings = Pick<HandlerOptions, 'cors' | 'onFault'> & {
  readonly basePath: string
  readonly baseUrl: string | undefined
  readonly trustProxy: boolean
  readonly unknownFields: 'error' | 'ignore'
  readonly appLimiter: RateLimiter | undefined
  readonly userLimiter: RateLimiter | undefined
  readonly limits: RequestLimits
}

const OPTIONS = {
  basePath: 'text',
  baseUrl: 'text',
  trustProxy: 'boolean',
  cors: 'object',
  rateLimit: 'object',
  limits: 'object',
  unknownFields: 'any',
  onFault: 'function',
} as const satisfies OptionKinds

const LIMITS: RequestLimits = {
  url: 16_384,
  body: 1_048_576,
  bodyTime: 10_000,
  batch: 50,
  answer: 4_194_304,
}

const refuse = (name: string, expected: string, came: unknown): never => {
  throw new TypeError(`createHandler: ${name} must be ${expected}, came ${describe(came)}`)
}

const limitsOf = (given: HandlerOptions['limits']): RequestLimits => {
  assertOptions('createHandler: limits', given, Object.keys(LIMITS))
  const limits: { -readonly [name in keyof RequestLimits]: number } = { ...LIMITS }
  for (const name of Object.keys(LIMITS) as (keyof RequestLimits)[]) {
    const value = given?.[name] ?? LIMITS[name]
    if (!Number.isSafeInteger(value) || value < 1) refuse(`limits.${name}`, 'a positive integer', value)
    limits[name] = value
  }
  return Object.freeze(limits)
}

const withoutSlash = (text: string): string => text.replace(/\/+$/, '')

const basePathOf = (basePath = ''): string => {
  const path = withoutSlash(basePath)
  if (path !== '' && !/^(?:\/[A-Za-z0-9._~-]+)+$/.test(path)) refuse('basePath', 'such as /graph', basePath)
  return path
}

const baseUrlOf = (baseUrl: string | undefined): string | undefined => {
  if (baseUrl === undefined) return undefined
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search + url.hash !== '')
    return refuse('baseUrl', 'an absolute URL without a query, such as https://api.example/graph', baseUrl)
  // What came is not told: it would show in a log.
  if (url.username + url.password !== '')
    throw new TypeError('createHandler: baseUrl must be without a name and a password')
  return withoutSlash(url.href)
}

/** Whether a browser could send it as the header `Origin`. Extensions and apps have schemes of their own. */
const isOrigin = (text: unknown): boolean => {
  const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : undefined
  return url !== undefined && url.host !== '' && `${url.protocol}//${url.host}` === text
}

const assertOrigins = (origin: unknown): void => {
  if (origin === '*') return
  const origins: readonly unknown[] = Array.isArray(origin)
    ? origin
    : refuse('cors.origin', "'*' or a list of origins", origin)
  for (const [index, one] of origins.entries())
    if (!isOrigin(one)) refuse(`cors.origin[${index}]`, 'such as https://app.example, without a path', one)
}

const assertCors = (cors: CorsOptions | undefined): void => {
  if (cors === undefined) return
  assertOptions('createHandler: cors', cors, ['origin', 'maxAge'])
  const { origin, maxAge }: { readonly origin: unknown; readonly maxAge?: unknown } = cors
  assertOrigins(origin)
  if (maxAge !== undefined && !(Number.isSafeInteger(maxAge) && Number(maxAge) >= 0))
    refuse('cors.maxAge', 'seconds', maxAge)
}

const limiterOf = (name: string, limiter: unknown): void => {
  const consumes = typeof limiter === 'object' && limiter !== null && 'consume' in limiter
  if (limiter === undefined || (consumes && typeof limiter.consume === 'function')) return
  refuse(`rateLimit.${name}`, 'an object with consume', limiter)
}

const refuseUnknownFields = (received: unknown): never => {
  throw new TypeError(
    `createHandler: "unknownFields" must be 'error' or 'ignore'; received ${describe(received)}`,
  )
}

const unknownFieldsOf = (given: unknown = 'error'): 'error' | 'ignore' =>
  given === 'error' || given === 'ignore' ? given : refuseUnknownFields(given)

/** @throws TypeError for an unknown option, or one of another kind. */
export const settleHandlerOptions = (options: HandlerOptions): HandlerSettings => {
  assertKinds('createHandler', options, OPTIONS)
  const { basePath, baseUrl, trustProxy = false, cors, rateLimit, limits, onFault } = options
  assertCors(cors)
  assertOptions('createHandler: rateLimit', rateLimit, ['app', 'user'])
  limiterOf('app', rateLimit?.app)
  limiterOf('user', rateLimit?.user)
  return {
    basePath: basePathOf(basePath),
    baseUrl: baseUrlOf(baseUrl),
    trustProxy,
    unknownFields: unknownFieldsOf(options.unknownFields),
    cors,
    onFault,
    appLimiter: rateLimit?.app,
    userLimiter: rateLimit?.user,
    limits: limitsOf(limits),
  }
}
