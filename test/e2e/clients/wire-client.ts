import { createHmac } from 'node:crypto'
import { type RawRequest, type RawResponse, sendRawRequest } from '../../helpers/raw-request.ts'
import { APP_SECRET, serveWorld } from '../../helpers/served-world.ts'

export const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }
export const JSON_BODY = { 'Content-Type': 'application/json' }

/** Encodes a form. */
export const form = (fields: { readonly [name: string]: string }): string =>
  new URLSearchParams(fields).toString()

export const idsIn = (page: { readonly data: readonly { readonly id: string }[] }): string[] =>
  page.data.map(({ id }) => id)

/** Serves the world, and returns functions that send requests as text and parse the responses. */
export const createWireClient = async () => {
  const world = await serveWorld()
  const { origin, token } = world
  const send = (path: string, request?: RawRequest): Promise<RawResponse> =>
    sendRawRequest(origin, path, request)
  const sendAndParse = async (path: string, request: RawRequest) => {
    const response = await send(path, request)
    return { ...response, body: JSON.parse(response.text) }
  }
  const get = (path: string, headers: { readonly [name: string]: string } = {}) =>
    sendAndParse(path, { headers })
  return {
    ...world,
    send,
    get,
    post: (path: string, request: RawRequest) => sendAndParse(path, { method: 'POST', ...request }),
    proof: createHmac('sha256', APP_SECRET).update(token).digest('hex'),
    /** Returns the path and query of a link. */
    afterHost: (url: string): string => url.replace(origin, ''),
    /** Reads all photos, page by page. `follow` converts the link to the next page to a path. */
    readAllPages: async (first: string, follow: (next: string) => string): Promise<string[]> => {
      const ids: string[] = []
      let path: string | undefined = first
      while (path !== undefined) {
        const { body } = await get(path)
        ids.push(...idsIn(body))
        const next: string | undefined = body.paging?.next
        path = next === undefined ? undefined : follow(next)
      }
      return ids
    },
  }
}
