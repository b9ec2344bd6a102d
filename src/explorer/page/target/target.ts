/**
 * The target of a path: one node, several nodes, or an edge of these nodes. A path with another target has an
 * empty `id` and no `ids`.
 */
export type PathTarget = {
  readonly id: string
  /** The ids of the parameter `ids`, if the path has no id itself. */
  readonly ids: readonly string[]
  readonly edge: string | undefined
  /**
   * The parameters in their order, without the token and the fields, which have their own inputs.
   */
  readonly parameters: readonly (readonly [name: string, value: string])[]
}

/** The parts of a path or a link. */
export type ParsedLink = {
  /** Path and parameters, as the path field shows them. */
  readonly path: string
  readonly version: string | undefined
  readonly fields: string | undefined
}

const EXCLUDED_PARAMETERS = new Set(['access_token', 'appsecret_proof', 'fields'])

const printQuery = (parameters: PathTarget['parameters']): string =>
  parameters.length === 0
    ? ''
    : `?${parameters.map(([name, value]) => `${name}=${encodeValue(value)}`).join('&')}`

/** Encodes only what a query requires, so that it stays readable. */
const encodeValue = (value: string): string =>
  encodeURIComponent(value).replaceAll('%2C', ',').replaceAll('%3A', ':').replaceAll('%24', '$')

const parseParameters = (query: string): PathTarget['parameters'] =>
  [...new URLSearchParams(query)].filter(([name]) => name !== '')

/** Parses ids: separated by commas, or a JSON array. */
const parseIds = (parameters: PathTarget['parameters']): readonly string[] =>
  parameters.filter(([name]) => name === 'ids').flatMap(([, value]) => value.match(/\w+/g) ?? [])

/** Rejects segments of dots. They would lead out of the graph, where the token must not be sent. */
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

/** Whether the first segment of a path looks like the id of a node. Other paths have no metadata. */
export const looksLikeNodeId = (id: string): boolean => /^(?:me|\d+)$/.test(id)

/** Formats a target for the path field. */
export const printPath = ({ id, edge = '', parameters }: PathTarget): string =>
  [id, edge].filter(part => part !== '').join('/') + printQuery(parameters)

/** Removes secrets from a path that others may see: `debug_token` has a token as a parameter. */
export const removePathSecrets = (path: string): string => {
  const target = parsePath(path)
  return printPath({ ...target, parameters: target.parameters.filter(([name]) => name !== 'input_token') })
}

/**
 * Parses a path, a URL or a link of a response, with its version and its fields. Removes a token.
 */
export const parseLink = (text: string, graphUrl: string): ParsedLink => {
  const relativeLink = text.startsWith(graphUrl) ? text.slice(graphUrl.length) : text
  const version = /^\/?(v\d+\.\d+)(?=[/?]|$)/.exec(relativeLink)?.[1]
  const pathAndQuery =
    version === undefined ? relativeLink : relativeLink.slice(relativeLink.indexOf(version) + version.length)
  const fields = new URLSearchParams(pathAndQuery.split('?').slice(1).join('?')).get('fields')
  return { path: printPath(parsePath(pathAndQuery)), version, fields: fields ?? undefined }
}

/** Whether a link in a response leads to the graph: relative to it, or below its own URL. */
export const isGraphLink = (link: string, graphUrl: string): boolean =>
  /^\/[^/\\]/.test(link) || link.startsWith(`${graphUrl}/`)
