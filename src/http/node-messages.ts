import type { WireRequest } from './wire.ts'

/** The used part of a request of `node:http`, or of a framework on top of it. */
export interface NodeRequest {
  readonly method?: string | undefined
  readonly url?: string | undefined
  /** The full URL, before a framework removed the mount path. */
  readonly originalUrl?: string | undefined
  readonly headers: WireRequest['headers']
  readonly socket: object
  /** The body, if a framework has already read it. */
  readonly body?: unknown
  /** Iterates the body. Stopping early does not destroy the connection. */
  iterator(options: { readonly destroyOnReturn: boolean }): AsyncIterable<Uint8Array>
}

/** The used part of a response of `node:http`. */
export interface NodeResponse {
  readonly headersSent: boolean
  readonly writableEnded: boolean
  /** Begins the response. */
  writeHead(status: number, headers: { readonly [name: string]: string | number }): unknown
  /** Ends the response without a body. */
  end(): unknown
  /** Ends the response with a body. Text is sent in UTF-8. */
  end(body: string | Uint8Array): unknown
  /** Ends the response with text whose characters are one byte each. */
  end(body: string, encoding: 'latin1'): unknown
  /** Listens for the end of the connection. */
  on(event: 'close', listener: () => void): unknown
}
