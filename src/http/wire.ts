/** A request as any server can tell it. */
export type WireRequest = {
  readonly method: string
  /** Absolute, or from the path on where the origin is not known; the query included. */
  readonly url: string
  /** By their names in lower case, as `authorization`. */
  readonly headers: { readonly [name: string]: string | readonly string[] | undefined }
  /** Undefined for a request without one. It is what it was before a `Content-Encoding`. */
  readonly body?: string | Uint8Array | undefined
  /** Aborts what is read for it. */
  readonly signal?: AbortSignal | undefined
}

/** An answer as any server can send it. */
export type WireResponse = {
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  /** Undefined where there is none: a redirection, what is not modified, the answer to `HEAD`. */
  readonly body: string | undefined
}

/** The header by which a client asks for links as they are in-process: relative, and without a token. */
export const LINKS_HEADER = 'kithgraph-links'

/** What answers depend on beside the URL: who asks, and for links of which kind. */
export const VARY = `Authorization, ${LINKS_HEADER}`

/** A header's value; of several, the first, as no header that is read here may come twice. */
export const headerOf = ({ headers }: Pick<WireRequest, 'headers'>, name: string): string | undefined => {
  const value = headers[name]
  return typeof value === 'string' || value === undefined ? value : value[0]
}
