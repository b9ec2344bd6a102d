import { describeUrl, describeValue } from '../base/describe.ts'
import { assertObject, assertOptionKinds } from '../base/options.ts'
import { usageError } from '../base/usage-error.ts'

/** Options of {@link createExplorer}. */
export type ExplorerOptions = {
  /**
   * The URL of the graph's handler for browsers: either a path on the origin of the Explorer, such as
   * `/graph` (or `/` for a handler at the root), or an absolute URL, such as `https://api.example/graph`. For
   * an absolute URL, the option `cors` of the handler must allow the origin of the Explorer.
   */
  readonly graphPath: string
  /**
   * The initial token of the page. The page contains it, so everyone who opens the page can read it. Use it
   * only for demos. Default: none, so the user enters a token.
   */
  readonly demoToken?: string | undefined
  /**
   * Tokens by the names of their viewers, for example `{ Ada: adaToken, Ben: benToken }`. The page then has a
   * selector, with which the user reads as one of these viewers. The page contains the tokens, so everyone who
   * opens the page can read them. Use them only for demos and during development. Default: no selector.
   */
  readonly viewers?: { readonly [name: string]: string } | undefined
  /**
   * The initial field expression of the page, for the path `me`. Default: empty, which requests the default
   * fields. If the schema has collections, the page opens on them, and the fields belong to its link to `me`.
   */
  readonly initialFields?: string | undefined
}

/** The validated options. */
export type ExplorerSettings = {
  /** The path or URL of the graph, without a slash at the end. */
  readonly graphPath: string
  /** The origin of the graph; undefined if it is the origin of the page. */
  readonly graphOrigin: string | undefined
  readonly demoToken: string | undefined
  readonly viewers: { readonly [name: string]: string } | undefined
  readonly initialFields: string | undefined
}

const PATH_PATTERN = /^(?:\/|(?:\/[A-Za-z0-9._~-]+)+\/?)$/

const removeTrailingSlash = (text: string): string => text.replace(/\/$/, '')

const parseGraphUrl = (graphPath: string): URL => {
  const isValidUrl = /^https?:\/\/[^?#@]*$/i.test(graphPath) && URL.canParse(graphPath)
  if (isValidUrl) return new URL(graphPath)
  const expected = 'a path such as /graph, or a URL such as https://api.example/graph'
  throw usageError('createExplorer', 'graphPath', expected, describeUrl(graphPath))
}

/** Copies the tokens of the viewers. A message never contains a token. */
const parseViewers = (viewers: ExplorerOptions['viewers']): ExplorerSettings['viewers'] => {
  if (viewers === undefined) return undefined
  for (const [name, token] of Object.entries(viewers)) {
    if (typeof token === 'string' && token !== '') continue
    const received = token === '' ? 'an empty string' : describeValue(token)
    throw usageError('createExplorer', `viewers.${name}`, 'a token', received)
  }
  return { ...viewers }
}

/**
 * Validates the options.
 *
 * @throws TypeError for an unknown option, or an option of the wrong type.
 */
export const resolveExplorerOptions = (options: ExplorerOptions): ExplorerSettings => {
  assertObject('createExplorer', options)
  assertOptionKinds('createExplorer', options, {
    graphPath: 'text',
    demoToken: 'text',
    viewers: 'object',
    initialFields: 'text',
  })
  const { graphPath, demoToken, initialFields } = options
  const viewers = parseViewers(options.viewers)
  if (PATH_PATTERN.test(graphPath)) {
    const path = removeTrailingSlash(graphPath)
    return { graphPath: path, graphOrigin: undefined, demoToken, viewers, initialFields }
  }
  const { href, origin } = parseGraphUrl(graphPath)
  return { graphPath: removeTrailingSlash(href), graphOrigin: origin, demoToken, viewers, initialFields }
}
