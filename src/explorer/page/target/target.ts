import { hasIdForm } from '../../../base/id-form.ts'

/**
 * The target of a path: one node, several nodes, or an edge of these nodes. A path with another target has an
 * empty `id` and no `ids`.
 */
export type PathTarget = {
  readonly id: string
  /** The ids in the parameter `ids`, if the path itself has no id. */
  readonly ids: readonly string[]
  readonly edge: string | undefined
  /** The parameters in order, without the token and the fields, which have separate inputs on the page. */
  readonly parameters: readonly (readonly [name: string, value: string])[]
}

/** The parts of a path or a link. */
export type ParsedLink = {
  /** The path and the parameters, as the path field shows them. */
  readonly path: string
  readonly version: string | undefined
  readonly fields: string | undefined
}

const EXCLUDED_PARAMETERS = new Set(['access_token', 'appsecret_proof', 'fields'])

const printQuery = (parameters: PathTarget['parameters']): string =>
  parameters.length === 0
    ? ''
    : `?${parameters.map(([name, value]) => `${name}=${encodeValue(value)}`).join('&')}`

/** Encodes only the characters that must be encoded in a query, so that the query stays readable. */
const encodeValue = (value: string): string =>
  encodeURIComponent(value).replaceAll('%2C', ',').replaceAll('%3A', ':').replaceAll('%24', '$')

const parseParameters = (query: string): PathTarget['parameters'] =>
  [...new URLSearchParams(query)].filter(([name]) => name !== '')

/** Parses ids that are separated by commas or in a JSON array. */
const parseIds = (parameters: PathTarget['parameters']): readonly string[] =>
  parameters.filter(([name]) => name === 'ids').flatMap(([, value]) => value.match(/\w+/g) ?? [])

/**
 * Rejects empty segments, `.` and `..`. They could lead out of the graph, and the token must not be sent
 * there.
 */
const isValidSegment = (part: string): boolean => !/^\.{0,2}$/.test(part)

/** Parses the text of the path field. Accepts any text. */
export const parsePath = (path: string): PathTarget => {
  const [pathname = '', ...queryParts] = path.trim().split('?')
  const segments = pathname.split('/').filter(isValidSegment)
  const parameters = parseParameters(queryParts.join('?')).filter(([name]) => !EXCLUDED_PARAMETERS.has(name))
  const ids = segments.length < 2 ? parseIds(parameters) : []
  const [id = '', edge] = ids.length === 0 ? segments : ['', ...segments]
  return { id, ids, edge, parameters }
}

/** The id and the type of the node whose edges are the collections. */
export const ROOT_ID = 'root'

/** Whether a target is the node of collections itself. */
export const isRootTarget = ({ id, edge }: PathTarget): boolean => id === ROOT_ID && edge === undefined

/** Whether the first segment of a path looks like the id of a node. Other paths have no metadata. */
export const looksLikeNodeId = (id: string): boolean => id === 'me' || id === ROOT_ID || hasIdForm(id)

/** Formats a target for the path field. */
export const printPath = ({ id, edge = '', parameters }: PathTarget): string =>
  [id, edge].filter(part => part !== '').join('/') + printQuery(parameters)

/** Removes secrets from a path that others may see: `debug_token` has a token as a parameter. */
export const removePathSecrets = (path: string): string => {
  const target = parsePath(path)
  return printPath({ ...target, parameters: target.parameters.filter(([name]) => name !== 'input_token') })
}

/** Parses a path, a URL or a link from a response, with its version and its fields. Removes its token. */
export const parseLink = (text: string, graphUrl: string): ParsedLink => {
  const relativeLink = text.startsWith(graphUrl) ? text.slice(graphUrl.length) : text
  const version = /^\/?(v\d+\.\d+)(?=[/?]|$)/.exec(relativeLink)?.[1]
  const pathAndQuery =
    version === undefined ? relativeLink : relativeLink.slice(relativeLink.indexOf(version) + version.length)
  const fields = new URLSearchParams(pathAndQuery.split('?').slice(1).join('?')).get('fields')
  return { path: printPath(parsePath(pathAndQuery)), version, fields: fields ?? undefined }
}

/** Whether a link in a response leads to the graph: it is relative, or it is below the URL of the graph. */
export const isGraphLink = (link: string, graphUrl: string): boolean =>
  /^\/[^/\\]/.test(link) || link.startsWith(`${graphUrl}/`)
