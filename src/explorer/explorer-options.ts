import { describe } from '../base/describe.ts'
import { assertKinds, assertObject } from '../base/options.ts'

/** What {@link createExplorer} takes beside the graph. */
export type ExplorerOptions = {
  /**
   * Where a browser reaches the graph's handler: a path on the Explorer's own origin, such as `/graph`, or `/` for one at
   * the root; or an absolute URL, such as `https://api.example/graph`, whose handler must then let this origin in (`cors`).
   */
  readonly graphPath: string
  /**
   * A token that the page begins with. Everyone who opens the page gets it: for demos alone. Default: none, and whoever
   * opens the page enters one.
   */
  readonly demoToken?: string | undefined
}

/** The options in the form in which they are used. */
export type ExplorerSettings = {
  /** Without a slash at the end. */
  readonly graphPath: string
  /** Where requests go, as far as it is not where the page came from. */
  readonly graphOrigin: string | undefined
  readonly demoToken: string | undefined
}

const PATH = /^(?:\/|(?:\/[A-Za-z0-9._~-]+)+\/?)$/

const withoutSlash = (text: string): string => text.replace(/\/$/, '')

const urlOf = (graphPath: string): URL => {
  const isPlain = /^https?:\/\/[^?#@]*$/i.test(graphPath) && URL.canParse(graphPath)
  if (isPlain) return new URL(graphPath)
  const expected = 'a path such as /graph, or a URL such as https://api.example/graph'
  throw new TypeError(`createExplorer: graphPath must be ${expected}, came ${describe(graphPath)}`)
}

/** @throws TypeError for an unknown option, or one of another kind. */
export const settleExplorerOptions = (options: ExplorerOptions): ExplorerSettings => {
  assertObject('createExplorer', options)
  assertKinds('createExplorer', options, { graphPath: 'text', demoToken: 'text' })
  const { graphPath, demoToken } = options
  if (PATH.test(graphPath)) return { graphPath: withoutSlash(graphPath), graphOrigin: undefined, demoToken }
  const { href, origin } = urlOf(graphPath)
  return { graphPath: withoutSlash(href), graphOrigin: origin, demoToken }
}
