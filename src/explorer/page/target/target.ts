/** What a path asks for: a node or several, or a page of one of their edges, or none of these (`id` is empty). */
export type Target = {
  readonly id: string
  /** Those that the parameter `ids` names, in front of which no other stands. */
  readonly ids: readonly string[]
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

/** Ids with commas between, or a JSON array of them. */
const idsIn = (parameters: Target['parameters']): readonly string[] =>
  parameters.filter(([name]) => name === 'ids').flatMap(([, value]) => value.match(/\w+/g) ?? [])

/** Dots alone would lead out of the graph, to where its token does not belong. */
const isPart = (part: string): boolean => !/^\.{0,2}$/.test(part)

/** Takes apart what stands in the path field. Total. */
export const parsePath = (path: string): Target => {
  const [place = '', ...query] = path.trim().split('?')
  const parts = place.split('/').filter(isPart)
  const parameters = parametersIn(query.join('?')).filter(([name]) => !KEPT_OUT.has(name))
  const ids = parts.length < 2 ? idsIn(parameters) : []
  const [id = '', edge] = ids.length === 0 ? parts : ['', ...parts]
  return { id, ids, edge, parameters }
}

/** Whether a path begins with a node: anything else is none that could be learnt. */
export const isNodePath = (id: string): boolean => /^(?:me|\d+)$/.test(id)

/** The text of a target for the path field. */
export const printPath = ({ id, edge = '', parameters }: Target): string =>
  [id, edge].filter(part => part !== '').join('/') + queryOf(parameters)

/** A path as others may see it: `debug_token` is asked about a token by a parameter. */
export const withoutSecrets = (path: string): string => {
  const target = parsePath(path)
  return printPath({ ...target, parameters: target.parameters.filter(([name]) => name !== 'input_token') })
}

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
