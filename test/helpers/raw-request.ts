import { request } from 'node:http'

/** A request that is sent unchanged: its path is not normalized, and any method may have a body. */
export type RawRequest = {
  readonly method?: string
  readonly headers?: { readonly [name: string]: string }
  readonly body?: string
}

/** A response with its body as text. */
export type RawResponse = {
  readonly status: number
  readonly headers: { readonly [name: string]: string | readonly string[] | undefined }
  readonly text: string
}

/** Sends a request without the normalization and redirects of `fetch`. */
export const sendRawRequest = (
  origin: string,
  path: string,
  { method = 'GET', headers = {}, body }: RawRequest = {},
): Promise<RawResponse> =>
  new Promise((resolve, reject) => {
    const sent = request(origin, { path, method, headers }, response => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', chunk => {
        text += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
      response.on('error', reject)
    })
    sent.on('error', reject)
    sent.end(body)
  })
