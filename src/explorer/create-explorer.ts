import { isGraphError } from '../base/errors.ts'
import { type Engine, engineOf } from '../execute/engine.ts'
import type { AnyGraph } from '../graph-interface.ts'
import { ROOT_TYPE } from '../schema/collection.ts'
import { type ExplorerOptions, type ExplorerSettings, resolveExplorerOptions } from './explorer-options.ts'
import { createAssetHandlers, type ResponseParts, renderPageShell } from './page-files.ts'
import { createPlanView } from './plan-view.ts'
import { toSchemaView } from './schema-view.ts'

/** Responds to the requests of a browser for the page and its data. The promise never rejects. */
export type Explorer = (request: Request) => Promise<Response>

/** Matches the name of a file. A browser may request the script of an earlier version. */
const FILE_NAME_PATTERN = /\.[a-z]\w*$/
/** An option for Workers: the body is already encoded and must not be compressed again. */
const ENCODED_BODY_INIT = { encodeBody: 'manual' }
const TEXT_HEADERS = { 'Content-Type': 'text/plain; charset=UTF-8' }
const METHOD_NOT_ALLOWED_RESPONSE: ResponseParts = {
  status: 405,
  headers: { ...TEXT_HEADERS, Allow: 'GET, HEAD' },
  body: 'Method not allowed',
}
const NOT_FOUND_RESPONSE: ResponseParts = { status: 404, headers: TEXT_HEADERS, body: 'Not found' }

const createSecurityHeaders = ({ graphOrigin }: ExplorerSettings): { readonly [name: string]: string } => ({
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `connect-src 'self'${graphOrigin === undefined ? '' : ` ${graphOrigin}`}`,
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
})

const createJsonResponse = (value: object, status = 200): ResponseParts => ({
  status,
  headers: { 'Content-Type': 'application/json; charset=UTF-8' },
  body: JSON.stringify(value),
})

const respondWithSchema = (
  { registry, masking, actions }: Engine,
  parameters: URLSearchParams,
): ResponseParts => {
  try {
    const version = registry.resolveVersion(parameters.get('version') || undefined)
    return createJsonResponse(toSchemaView(registry.schema, version, type => actions?.describe(type) ?? []))
  } catch (error) {
    if (!isGraphError(error)) throw error
    return createJsonResponse(masking.maskError(error).toJSON(), error.status)
  }
}

const respondWithPlan = (engine: Engine, parameters: URLSearchParams): ResponseParts => {
  const readText = (name: string): string | undefined => parameters.get(name) || undefined
  const view = createPlanView(engine, {
    type: parameters.get('type') ?? '',
    edge: readText('edge'),
    fields: parameters.get('fields') ?? '',
    version: readText('version'),
    count: readText('count'),
    limit: readText('limit'),
    summary: readText('summary'),
    parameters: readText('parameters'),
  })
  return createJsonResponse(view, 'error' in view ? 400 : 200)
}

/**
 * Creates the Explorer: a page where a user writes expressions with completion, follows ids and edges, sees the
 * cost of a request, and runs actions. Returns a function from a request to a response, which you can mount under any
 * path. The page sends its requests to the graph's handler at `graphPath`, with the token that the user
 * enters. The Explorer itself serves the schema and the plans of expressions, but no data.
 *
 * @throws TypeError for a value that is not a graph, an unknown option, or an option of the wrong type.
 * @example
 * ```ts
 * import { createGraph } from 'kithgraph'
 * import { createExplorer } from 'kithgraph/explorer'
 * import { createHandler } from 'kithgraph/http'
 * import { createMemoryStore } from 'kithgraph/memory'
 *
 * const graph = createGraph(createMemoryStore())
 * const handler = createHandler(graph, { basePath: '/graph' })
 * const explorer = createExplorer(graph, { graphPath: '/graph' })
 *
 * const serve = (request: Request) =>
 *   new URL(request.url).pathname.startsWith('/explorer') ? explorer(request) : handler(request)
 * const page = await serve(new Request('http://localhost/explorer/'))
 * console.log(page.status, page.headers.get('content-type')) // 200 text/html; charset=UTF-8
 * ```
 */
export const createExplorer = (graph: AnyGraph, options: ExplorerOptions): Explorer => {
  const engine = engineOf('createExplorer', graph)
  const settings = resolveExplorerOptions(options)
  const securityHeaders = createSecurityHeaders(settings)
  const assetHandlers = createAssetHandlers()
  const pageResponse: ResponseParts = {
    headers: { 'Content-Type': 'text/html; charset=UTF-8' },
    body: renderPageShell(settings, Object.hasOwn(engine.registry.schema.types, ROOT_TYPE)),
  }

  const respond = (request: Request): ResponseParts => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return METHOD_NOT_ALLOWED_RESPONSE
    const { pathname, search, searchParams } = new URL(request.url)
    // The mount path is unknown, so the last part of the path selects the asset.
    const fileName = pathname.slice(pathname.lastIndexOf('/') + 1)
    if (fileName === '') return pageResponse
    if (fileName === 'schema.json') return respondWithSchema(engine, searchParams)
    if (fileName === 'plan.json') return respondWithPlan(engine, searchParams)
    const handleAsset = assetHandlers.get(fileName)
    if (handleAsset !== undefined) return handleAsset(request)
    if (FILE_NAME_PATTERN.test(fileName)) return NOT_FOUND_RESPONSE
    return { status: 308, headers: { Location: `./${fileName}/${search}` }, body: null }
  }

  return async request => {
    const { status = 200, headers, body } = respond(request)
    const hasBody = request.method !== 'HEAD'
    const allHeaders = { 'Cache-Control': 'no-cache', ...headers, ...securityHeaders }
    return new Response(hasBody ? body : null, { status, headers: allHeaders, ...ENCODED_BODY_INIT })
  }
}
