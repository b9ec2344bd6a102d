import { isGraphError } from '../base/faults.ts'
import { type Engine, engineOf } from '../execute/engine.ts'
import type { UntypedGraph } from '../graph-interface.ts'
import { type ExplorerOptions, type ExplorerSettings, settleExplorerOptions } from './explorer-options.ts'
import { Packed, takesGzip } from './packed.ts'
import { pageBundle } from './page-bundle.ts'
import { pageShell, SCRIPT_NAME, STYLE_NAME } from './page-shell.ts'
import { planViewOf } from './plan-view.ts'
import { schemaViewOf } from './schema-view.ts'

/** Answers the requests of a browser for the page, and those of the page. It never rejects. */
export type Explorer = (request: Request) => Promise<Response>

/** What is answered, beside what every answer has. */
type Answer = {
  readonly status?: number
  readonly headers: { readonly [name: string]: string }
  readonly body: string | Uint8Array<ArrayBuffer> | ReadableStream | null
}

const IMMUTABLE = { 'Cache-Control': 'public, max-age=31536000, immutable' }
/** A name that is meant for a file, such as the script of an earlier version. */
const FILE_NAME = /\.[a-z]\w*$/
/** Has Workers, which compress what says that it is compressed, leave that alone. */
const AS_IT_IS = { encodeBody: 'manual' }
const TEXT = { 'Content-Type': 'text/plain; charset=UTF-8' }
const REFUSED: Answer = { status: 405, headers: { ...TEXT, Allow: 'GET, HEAD' }, body: 'Method not allowed' }
const MISSING: Answer = { status: 404, headers: TEXT, body: 'Not found' }

const securityOf = ({ graphOrigin }: ExplorerSettings): { readonly [name: string]: string } => ({
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

const json = (value: object, status = 200): Answer => ({
  status,
  headers: { 'Content-Type': 'application/json; charset=UTF-8' },
  body: JSON.stringify(value),
})

const schemaAnswer = ({ registry, masking }: Engine, parameters: URLSearchParams): Answer => {
  try {
    return json(schemaViewOf(registry.schema, registry.version(parameters.get('version') || undefined)))
  } catch (error) {
    if (!isGraphError(error)) throw error
    return json(masking.fault(error).toJSON(), error.status)
  }
}

const planAnswer = (engine: Engine, parameters: URLSearchParams): Answer => {
  const view = planViewOf(engine, {
    type: parameters.get('type') ?? '',
    edge: parameters.get('edge') || undefined,
    fields: parameters.get('fields') ?? '',
    version: parameters.get('version') || undefined,
  })
  return json(view, 'error' in view ? 400 : 200)
}

/** What is kept in the package, by the end of its path. */
const packedFiles = (): ReadonlyMap<string, (request: Request) => Answer> => {
  const { script, style, notices } = pageBundle
  const file = (base64: string, type: string, cache: { readonly [name: string]: string } = {}) => {
    const packed = new Packed(base64)
    const headers = { 'Content-Type': `${type}; charset=UTF-8`, Vary: 'Accept-Encoding', ...cache }
    return (request: Request): Answer =>
      takesGzip(request.headers.get('accept-encoding'))
        ? { headers: { ...headers, 'Content-Encoding': 'gzip' }, body: packed.compressed }
        : { headers, body: packed.plain }
  }
  return new Map([
    [SCRIPT_NAME, file(script.gzip, 'text/javascript', IMMUTABLE)],
    [STYLE_NAME, file(style.gzip, 'text/css', IMMUTABLE)],
    ['notices.txt', file(notices.gzip, 'text/plain')],
  ])
}

/**
 * Makes a page that lets people look at a graph: type an expression with completion, follow ids and edges, see what a query
 * costs. It is a function from a request to its response, to be mounted under any path, which it need not be told. The page
 * asks the graph's own handler, at `graphPath`, with the token that is entered in it; the Explorer itself answers the schema
 * and what expressions come to, and none of the data.
 *
 * @throws TypeError for what is no graph, an unknown option, or one of another kind.
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
export const createExplorer = (graph: UntypedGraph, options: ExplorerOptions): Explorer => {
  const engine = engineOf('createExplorer', graph)
  const settings = settleExplorerOptions(options)
  const security = securityOf(settings)
  const files = packedFiles()
  const page: Answer = { headers: { 'Content-Type': 'text/html; charset=UTF-8' }, body: pageShell(settings) }

  const answer = (request: Request): Answer => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return REFUSED
    const { pathname, search, searchParams } = new URL(request.url)
    // Where it is mounted is not known, so that the end of the path alone says what is asked.
    const name = pathname.slice(pathname.lastIndexOf('/') + 1)
    if (name === '') return page
    if (name === 'schema.json') return schemaAnswer(engine, searchParams)
    if (name === 'plan.json') return planAnswer(engine, searchParams)
    const file = files.get(name)
    if (file !== undefined) return file(request)
    if (FILE_NAME.test(name)) return MISSING
    return { status: 308, headers: { Location: `./${name}/${search}` }, body: null }
  }

  return async request => {
    const { status = 200, headers, body } = answer(request)
    const isAsked = request.method !== 'HEAD'
    const all = { 'Cache-Control': 'no-cache', ...headers, ...security }
    return new Response(isAsked ? body : null, { status, headers: all, ...AS_IT_IS })
  }
}
