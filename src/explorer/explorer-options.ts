import { describeUrl } from '../base/describe.ts'
import { assertObject, assertOptionKinds } from '../base/options.ts'
import { usageError } from '../base/usage-error.ts'

/** Options of {@link createExplorer}. */
export type ExplorerOptions = {
  /**
   * The URL of the graph's handler for browsers: a path on the Explorer's own origin, such as `/graph`, or
   * `/` for a handler at the root; or an absolute URL, such as `https://api.example/graph`, whose handler
   * must allow this origin (`cors`).
   */
  readonly graphPath: string
  /**
   * The initial token of the page. Everyone who opens the page receives it, so use it only for demos.
   * Default: none, and the user enters one.
   */
  readonly demoToken?: string | undefined
}

/** The validated options. */
export type ExplorerSettings = {
  /** Has no slash at the end. */
  readonly graphPath: string
  /** The origin of the graph's requests, if it differs from that of the page. */
  readonly graphOrigin: string | undefined
  readonly demoToken: string | undefined
}

const PATH_PATTERN = /^(?:\/|(?:\/[A-Za-z0-9._~-]+)+\/?)$/

const removeTrailingSlash = (text: string): string => text.replace(/\/$/, '')

const parseGraphUrl = (graphPath: string): URL => {
  const isValidUrl = /^https?:\/\/[^?#@]*$/i.test(graphPath) && URL.canParse(graphPath)
  if (isValidUrl) return new URL(graphPath)
  const expected = 'a path such as /graph, or a URL such as https://api.example/graph'
  throw usageError('createExplorer', 'graphPath', expected, describeUrl(graphPath))
}

/**
 * Validates the options.
 *
 * @throws TypeError for an unknown option, or an option of the wrong type.
 */
export const resolveExplorerOptions = (options: ExplorerOptions): ExplorerSettings => {
  assertObject('createExplorer', options)
  assertOptionKinds('createExplorer', options, { graphPath: 'text', demoToken: 'text' })
  const { graphPath, demoToken } = options
  if (PATH_PATTERN.test(graphPath))
    return { graphPath: removeTrailingSlash(graphPath), graphOrigin: undefined, demoToken }
  const { href, origin } = parseGraphUrl(graphPath)
  return { graphPath: removeTrailingSlash(href), graphOrigin: origin, demoToken }
}
