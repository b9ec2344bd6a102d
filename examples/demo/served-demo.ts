import type { AnyGraph } from 'kithgraph'

/** A request as a shell command, with a title. */
export type DemoRequest = { readonly title: string; readonly line: string }

/** A graph that the demo serves, and what it prints about it. */
export type ServedDemo = {
  readonly graph: AnyGraph
  /** The access token of the Explorer. */
  readonly token: string
  /** The field expression with which the Explorer opens. */
  readonly initialFields: string
  /** A sentence about the data. */
  readonly introduction: string
  /** Whether callers may write, so that only requests for this machine are accepted. */
  readonly runsActions?: boolean
  /** A sentence about the access tokens, and these tokens. */
  readonly tokens: string
  /** The path of the graph, such as `/v1.0`. */
  readonly path: string
  readonly createRequests: (base: string) => readonly DemoRequest[]
}
