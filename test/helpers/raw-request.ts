import { request } from 'node:http'

/** A request as it goes over the wire: the path is sent as it stands, and any method may have a body. */
export type RawRequest = {
  readonly method?: string
  readonly headers?: { readonly [name: string]: string }
  readonly body?: string
}

/** What comes back, before anything is made of it. */
export type RawAnswer = {
  readonly status: number
  readonly headers: { readonly [name: string]: string | readonly string[] | undefined }
  readonly text: string
}

/** Sends a request as a client writes it, without what `fetch` would normalise or follow. */
export const rawRequest = (
  origin: string,
  path: string,
  { method = 'GET', headers = {}, body }: RawRequest = {},
): Promise<RawAnswer> =>
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
