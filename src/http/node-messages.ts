import type { WireRequest } from './wire.ts'

/** A request of `node:http`, or of a framework on top of it, as far as it is used. */
export interface NodeRequest {
  readonly method?: string | undefined
  readonly url?: string | undefined
  /** The URL before a framework took off where it mounted the listener. */
  readonly originalUrl?: string | undefined
  readonly headers: WireRequest['headers']
  readonly socket: object
  /** What a framework read of the body already. */
  readonly body?: unknown
  /** Reads the body without ending the connection where reading stops early. */
  iterator(options: { readonly destroyOnReturn: boolean }): AsyncIterable<Uint8Array>
}

/** A response of `node:http`, as far as it is used. */
export interface NodeResponse {
  readonly headersSent: boolean
  readonly writableEnded: boolean
  /** Begins the response. */
  writeHead(status: number, headers: { readonly [name: string]: string | number }): unknown
  /** Ends the response without a body. */
  end(): unknown
  /** Ends it with one, text in UTF-8. */
  end(body: string | Uint8Array): unknown
  /** Ends it with text of characters of one byte each. */
  end(body: string, encoding: 'latin1'): unknown
  /** Tells when the connection is no longer there. */
  on(event: 'close', listener: () => void): unknown
}
