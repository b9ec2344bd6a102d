import { stripWhiteSpace } from '../../../fields/parse.ts'
import type { ParameterView } from '../../parameter-view.ts'
import { type ExplorerQuery, printRequestPath } from '../target/query.ts'
import { looksLikeNodeId, type PathTarget, parsePath, removePathSecrets } from '../target/target.ts'
import { formatAwaitedCall, quoteShell, quoteText } from './literals.ts'

/** Code that sends a query. It contains a placeholder instead of the token. */
export type Snippet = { readonly title: string; readonly code: string }

/** The information that the code needs in addition to the query. */
export type SnippetContext = {
  /** The absolute URL of the graph, without a slash at the end. */
  readonly graphUrl: string
  /** The type of the requested node, if it is known. */
  readonly type: string | undefined
  /** The parameters of the requested edge. */
  readonly parameters: readonly ParameterView[]
  /** The version of requests that do not specify one. */
  readonly newestVersion: string
}

const isIntegerText = (value: string): boolean => /^\d{1,9}$/.test(value)

/** Formats a parameter as an option of a call. Only the values of string options stay strings. */
const toLiteral = (name: string, value: string): string => {
  if (name === 'limit' && isIntegerText(value)) return value
  if (['summary', 'metadata', 'partial'].includes(name)) return String(value === 'true' || value === '1')
  return quoteText(value)
}

/** The parameters that are also options of a call. */
const CALL_OPTIONS = new Set('limit after before since until order summary metadata debug partial'.split(' '))

/** Formats the value of a parameter of the edge as a value of its type. */
const toParameterLiteral = ({ type }: ParameterView, value: string): string => {
  if (type === 'bool') return String(value === 'true' || value === '1')
  const isNumber = (type === 'int' || type === 'float') && /^-?\d{1,15}(?:\.\d{1,15})?$/.test(value)
  return isNumber ? String(Number(value)) : quoteText(value)
}

/** Formats the parameters of the edge that a path contains, as one option of a call. */
const toParameterOptions = (
  { parameters }: PathTarget,
  views: readonly ParameterView[],
): readonly (readonly [string, string])[] => {
  const members = parameters.flatMap(([name, value]) => {
    const view = views.find(candidate => candidate.name === name)
    return view === undefined ? [] : [`${name}: ${toParameterLiteral(view, value)}`]
  })
  return members.length === 0 ? [] : [['parameters', `{ ${members.join(', ')} }`]]
}

const toCallOptions = (
  query: ExplorerQuery,
  { type, parameters: parameterViews, newestVersion }: SnippetContext,
): readonly (readonly [string, string])[] => {
  const target = parsePath(query.path)
  const { id, ids, edge, parameters } = target
  const fields = stripWhiteSpace(query.fields)
  const isMe = id === 'me' && edge === undefined
  return [
    ...(isMe || id === '' ? [] : [['id', quoteText(id)] as const]),
    ...(ids.length === 0 ? [] : [['ids', `[${ids.map(quoteText).join(', ')}]`] as const]),
    // Several nodes may have several types, so only calls for their edges take a type.
    ...(id === 'me' || type === undefined || (ids.length > 0 && edge === undefined)
      ? []
      : [['type', quoteText(type)] as const]),
    ...(edge === undefined ? [] : [['edge', quoteText(edge)] as const]),
    ...(edge === undefined ? [] : toParameterOptions(target, parameterViews)),
    ...(fields === '' ? [] : [['fields', quoteText(fields)] as const]),
    ...parameters
      .filter(([name]) => CALL_OPTIONS.has(name))
      .map(([name, value]) => [name, toLiteral(name, value)] as const),
    ...(query.version === newestVersion ? [] : [['version', quoteText(query.version)] as const]),
  ]
}

/** Returns the method for a target, and the name of its result. */
const methodOf = ({ id, ids, edge }: PathTarget): readonly [verb: string, result: string] => {
  if (ids.length > 0) return edge === undefined ? ['getNodes', 'nodes'] : ['getEdges', 'pages']
  if (edge !== undefined) return ['getEdge', 'page']
  return id === 'me' ? ['getMe', 'me'] : ['getNode', 'node']
}

const formatCall = (receiver: string, query: ExplorerQuery, context: SnippetContext): string => {
  const [method, resultName] = methodOf(parsePath(query.path))
  return formatAwaitedCall(resultName, `${receiver}.${method}`, toCallOptions(query, context))
}

const createClientCode = (query: ExplorerQuery, context: SnippetContext): string => `\
import { createClient } from 'kithgraph/client'
import type { schema } from './schema.ts'

const client = createClient<typeof schema>(${quoteText(context.graphUrl)})
${formatCall('client', query, context)}`

const createFetchCode = (url: string): string => `\
const response = await fetch(${quoteText(url)}, {
  headers: { Authorization: \`Bearer \${token}\` },
})
const result = await response.json()`

const createCurlCode = (url: string): string => `\
curl ${quoteShell(url)} \\
  -H "Authorization: Bearer $TOKEN"`

/** Whether a method exists for a path. Some paths, such as `debug_token`, exist only over HTTP. */
const hasGraphMethod = ({ id, ids, edge }: PathTarget): boolean =>
  (ids.length > 0 || looksLikeNodeId(id)) && edge !== 'permissions' && edge !== 'picture'

/** Creates the code that sends a query with the library, the client, fetch and curl. */
export const createSnippets = (query: ExplorerQuery, context: SnippetContext): readonly Snippet[] => {
  const path = removePathSecrets(query.path)
  const url = context.graphUrl + printRequestPath({ ...query, path })
  const callSnippets = [
    { title: 'In-process', code: formatCall('graph', query, context) },
    { title: 'Client', code: createClientCode(query, context) },
  ]
  return [
    ...(hasGraphMethod(parsePath(path)) ? callSnippets : []),
    { title: 'fetch', code: createFetchCode(url) },
    { title: 'curl', code: createCurlCode(url) },
  ]
}
