import type { Engine } from '../execute/engine.ts'
import type { Host } from '../execute/host.ts'
import { HostedReads } from '../execute/hosted-reads.ts'
import type { UntypedGraph } from '../graph-interface.ts'
import type { AnswerRoom } from './answer-room.ts'
import { tokenOf } from './credentials.ts'
import type { Entry } from './entry.ts'
import type { BodyMeter } from './etag.ts'
import { queryOf } from './form.ts'
import type { HandlerSettings } from './handler-options.ts'
import type { OpenApiTexts } from './openapi/open-api-texts.ts'
import { originOf, splitUrl } from './origin.ts'
import { Parameters } from './parameters.ts'
import type { RequestValues } from './request-values.ts'
import { type Place, placeOf, SILHOUETTE } from './route.ts'
import type { Budget, Spending } from './spending.ts'
import type { TraceIds } from './trace-ids.ts'
import { headerOf, LINKS_HEADER, type WireRequest } from './wire.ts'

/** What all requests to one handler share. */
export type Service = {
  readonly engine: Engine
  readonly graph: UntypedGraph
  readonly settings: HandlerSettings
  readonly openApi: OpenApiTexts
  readonly traceIds: TraceIds
  readonly meter: BodyMeter
}

/** What a request of a batch takes over from the batch, and what it tells it. */
export type Enclosing = {
  /** What links begin with, a version not included. */
  readonly base: string
  readonly version: string | undefined
  /** The token and proof of the batch, for requests without their own. */
  readonly token: string | undefined
  readonly proof: string | undefined
  /** The query of the batch: what it has of token and proof is carried by the links of requests without a token of their own. */
  readonly query: URLSearchParams
  readonly budget: Budget
  readonly room: AnswerRoom
  readonly values: RequestValues
  readonly deadline: number
  /** Of the batch, which learns from its requests. */
  readonly spending: Spending
}

/** A request as it is understood: what is asked, by whom, and where its links lead. */
export type Exchange = Place & {
  readonly service: Service
  readonly request: WireRequest
  /** In capitals, after a `method` parameter took its say. */
  readonly method: string
  readonly query: URLSearchParams
  /** Of the query and the body. */
  readonly parameters: Parameters
  readonly token: string | undefined
  readonly proof: string | undefined
  /** What links begin with, a version not included. */
  readonly base: string
  readonly reads: HostedReads
  readonly spending: Spending
  readonly values: RequestValues
  readonly enclosing: Enclosing | undefined
}

/** Whether an answer is indented. How it is laid out is no reason to refuse it: every other text says nothing. */
export const prettyOf = (text: string | null | undefined): boolean | undefined => {
  if (text === '1' || text === 'true') return true
  return text === '0' || text === 'false' ? false : undefined
}

const CREDENTIALS = ['access_token', 'appsecret_proof'] as const

/** What links carry of a query beside what the reads themselves put there: nothing that was not understood. */
const carriedOf = (query: URLSearchParams, lent: URLSearchParams | undefined): string => {
  const credentials = CREDENTIALS.flatMap(name => {
    const text = query.get(name) || lent?.get(name)
    return text ? [`${name}=${encodeURIComponent(text)}&`] : []
  })
  const pretty = prettyOf(query.get('pretty'))
  return credentials.join('') + (pretty === undefined ? '' : `pretty=${Number(pretty)}&`)
}

/** Where links of the answer lead, and to whom it is charged. */
const hostFor = (
  { engine }: Service,
  base: string,
  version: string | undefined,
  { query, lent, isRelative, spending, enclosing }: Asking,
): Host => {
  const { silhouette } = engine.registry.schema
  return {
    linkBase: version === undefined ? base : `${base}/${version}`,
    linkQuery: isRelative ? '' : carriedOf(query, lent),
    silhouette: silhouette === SILHOUETTE ? `${base}${SILHOUETTE}` : silhouette,
    deadline: enclosing?.deadline,
    meet: session => spending.meet(session),
    charge: (cost, session) => spending.charge(cost, session),
    chargeScan: (points, session) => spending.chargeScan(points, session),
    wrote: length => spending.wrote(length),
  }
}

/** What a request is answered within. */
export type Circumstances = {
  readonly spending: Spending
  readonly values: RequestValues
  readonly enclosing: Enclosing | undefined
}

type Asking = Omit<Circumstances, 'values'> & {
  readonly query: URLSearchParams
  /** The query of the batch, for a request without a token of its own. */
  readonly lent: URLSearchParams | undefined
  readonly isRelative: boolean
}

const baseOf = ({ settings }: Service, request: WireRequest, enclosing: Enclosing | undefined): string => {
  if (enclosing !== undefined) return enclosing.base
  const { baseUrl, basePath, trustProxy } = settings
  return baseUrl ?? `${originOf(request, trustProxy) ?? ''}${basePath}`
}

/**
 * Understands a request; `sent` are the parameters in its body.
 *
 * @throws GraphError for a path, a host or parameters that nobody can make sense of; none of them says anything of the data.
 */
export const exchangeOf = (
  service: Service,
  request: WireRequest,
  sent: readonly Entry[],
  { spending, values, enclosing }: Circumstances,
): Exchange => {
  const url = splitUrl(request.url)
  const query = queryOf(url.query, values)
  const parameters = new Parameters(values, query, sent)
  const { route, version = enclosing?.version } = placeOf(
    url.path,
    enclosing === undefined ? service.settings.basePath : '',
  )
  const isRelative = headerOf(request, LINKS_HEADER) === 'relative'
  const base = isRelative ? '' : baseOf(service, request, enclosing)
  const own = tokenOf(request, parameters)
  const token = own ?? enclosing?.token
  // The proof of a batch is one of its own token, and says nothing of others.
  const inherited = token === enclosing?.token ? enclosing?.proof : undefined
  const lent = own === undefined ? enclosing?.query : undefined
  const host = hostFor(service, base, version, { query, lent, isRelative, spending, enclosing })
  return {
    version,
    route,
    service,
    request,
    method: (parameters.text('method') ?? request.method).toUpperCase(),
    query,
    parameters,
    token,
    proof: parameters.text('appsecret_proof') ?? inherited,
    base,
    reads: new HostedReads(service.engine, host),
    spending,
    values,
    enclosing,
  }
}
