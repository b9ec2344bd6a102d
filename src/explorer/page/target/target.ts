/** What a path asks for: a node, a page of one of its edges, or neither of these (`id` is empty). */
export type Target = {
  readonly id: string
  readonly edge: string | undefined
  /** The parameters in the order written; never a token, and never the fields, which are edited elsewhere. */
  readonly parameters: readonly (readonly [name: string, value: string])[]
}

/** What a path that was typed, pasted or followed says. */
export type PathText = {
  /** Path and parameters as they belong into the path field. */
  readonly path: string
  readonly version: string | undefined
  readonly fields: string | undefined
}

const KEPT_OUT = new Set(['access_token', 'appsecret_proof', 'fields'])

const queryOf = (parameters: Target['parameters']): string =>
  parameters.length === 0
    ? ''
    : `?${parameters.map(([name, value]) => `${name}=${encoded(value)}`).join('&')}`

/** Encodes no more than a query needs, so that people can read it. */
const encoded = (value: string): string =>
  encodeURIComponent(value).replaceAll('%2C', ',').replaceAll('%3A', ':').replaceAll('%24', '$')

const parametersIn = (query: string): Target['parameters'] =>
  [...new URLSearchParams(query)].filter(([name]) => name !== '')

/** Takes apart what stands in the path field. Total. */
export const parsePath = (path: string): Target => {
  const [place = '', ...query] = path.trim().split('?')
  const [id = '', edge] = place.split('/').filter(part => part !== '')
  const parameters = parametersIn(query.join('?')).filter(([name]) => !KEPT_OUT.has(name))
  return { id, edge, parameters }
}

/** The text of a target for the path field. */
export const printPath = ({ id, edge, parameters }: Target): string =>
  `${id}${edge === undefined ? '' : `/${edge}`}${queryOf(parameters)}`

/**
 * Takes apart a path or URL that came from elsewhere, a version in front and fields in the query included. A token in
 * it is dropped.
 */
export const readPath = (text: string, graphUrl: string): PathText => {
  const inGraph = text.startsWith(graphUrl) ? text.slice(graphUrl.length) : text
  const version = /^\/?(v\d+\.\d+)(?=[/?]|$)/.exec(inGraph)?.[1]
  const rest = version === undefined ? inGraph : inGraph.slice(inGraph.indexOf(version) + version.length)
  const fields = new URLSearchParams(rest.split('?').slice(1).join('?')).get('fields')
  return { path: printPath(parsePath(rest)), version, fields: fields ?? undefined }
}

/** Whether a link of an answer leads to something of the graph: relative to it, or below its own URL. */
export const isGraphLink = (link: string, graphUrl: string): boolean =>
  /^\/[^/\\]/.test(link) || link.startsWith(`${graphUrl}/`)
