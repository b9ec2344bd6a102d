import { stripWhiteSpace } from '../../../fields/strip.ts'
import { type Query, requestPath } from '../target/query.ts'
import { isNodePath, parsePath, type Target, withoutSecrets } from '../target/target.ts'

/** Code that asks a query: to be copied. Its token is a placeholder. */
export type Snippet = { readonly title: string; readonly code: string }

/** What is known of a query beside what it says. */
export type SnippetContext = {
  /** The absolute URL of the graph, without a slash at the end. */
  readonly graphUrl: string
  /** The type of the node that is asked for, where it is known. */
  readonly type: string | undefined
  /** The version that is served where none is asked for. */
  readonly newest: string
}

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

const isInteger = (value: string): boolean => /^\d{1,9}$/.test(value)

/** The value of a parameter as an option of a call: only what options take as text stays text. */
const literal = (name: string, value: string): string => {
  if (name === 'limit' && isInteger(value)) return value
  if (['summary', 'metadata', 'partial'].includes(name)) return String(value === 'true' || value === '1')
  return quoted(value)
}

/** The parameters that are options of a call, too. */
const OPTIONS = new Set('limit after before since until order summary metadata debug partial'.split(' '))

const optionsOf = (
  query: Query,
  { type, newest }: SnippetContext,
): readonly (readonly [string, string])[] => {
  const { id, ids, edge, parameters } = parsePath(query.path)
  const fields = stripWhiteSpace(query.fields)
  const isMe = id === 'me' && edge === undefined
  return [
    ...(isMe || id === '' ? [] : [['id', quoted(id)] as const]),
    ...(ids.length === 0 ? [] : [['ids', `[${ids.map(quoted).join(', ')}]`] as const]),
    // Several nodes may be of several types, so that only their edges take one.
    ...(id === 'me' || type === undefined || (ids.length > 0 && edge === undefined)
      ? []
      : [['type', quoted(type)] as const]),
    ...(edge === undefined ? [] : [['edge', quoted(edge)] as const]),
    ...(fields === '' ? [] : [['fields', quoted(fields)] as const]),
    ...parameters
      .filter(([name]) => OPTIONS.has(name))
      .map(([name, value]) => [name, literal(name, value)] as const),
    ...(query.version === newest ? [] : [['version', quoted(query.version)] as const]),
  ]
}

/** The call that asks what a path does, and what its answer is. */
const verbOf = ({ id, ids, edge }: Target): readonly [verb: string, result: string] => {
  if (ids.length > 0) return edge === undefined ? ['getNodes', 'nodes'] : ['getEdges', 'pages']
  if (edge !== undefined) return ['getEdge', 'page']
  return id === 'me' ? ['getMe', 'me'] : ['getNode', 'node']
}

const callOf = (on: string, query: Query, context: SnippetContext): string => {
  const [verb, result] = verbOf(parsePath(query.path))
  const options = optionsOf(query, context).map(([name, value]) => `${name}: ${value}`)
  const line = options.length === 0 ? '' : `, { ${options.join(', ')} }`
  const code = `const ${result} = await ${on}.${verb}(token${line})`
  return code.length <= 80
    ? code
    : `const ${result} = await ${on}.${verb}(token, {\n  ${options.join(',\n  ')},\n})`
}

const clientCode = (query: Query, context: SnippetContext): string => `\
import { createClient } from 'kithgraph/client'
import type { schema } from './schema.ts'

const client = createClient<typeof schema>(${quoted(context.graphUrl)})
${callOf('client', query, context)}`

const fetchCode = (url: string): string => `\
const response = await fetch(${quoted(url)}, {
  headers: { Authorization: \`Bearer \${token}\` },
})
const answer = await response.json()`

const curlCode = (url: string): string => `\
curl '${url.replaceAll("'", "'\\''")}' \\
  -H "Authorization: Bearer $TOKEN"`

/** Whether there is a call for a path: some are of the protocol alone, such as `debug_token`. */
const hasCall = ({ id, ids, edge }: Target): boolean =>
  (ids.length > 0 || isNodePath(id)) && edge !== 'permissions' && edge !== 'picture'

/** The code that asks a query, in the ways there are. */
export const snippetsOf = (query: Query, context: SnippetContext): readonly Snippet[] => {
  const path = withoutSecrets(query.path)
  const url = context.graphUrl + requestPath({ ...query, path })
  const calls = [
    { title: 'In-process', code: callOf('graph', query, context) },
    { title: 'Client', code: clientCode(query, context) },
  ]
  return [
    ...(hasCall(parsePath(path)) ? calls : []),
    { title: 'fetch', code: fetchCode(url) },
    { title: 'curl', code: curlCode(url) },
  ]
}
