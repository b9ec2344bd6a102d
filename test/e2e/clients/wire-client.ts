import { createHmac } from 'node:crypto'
import { type RawAnswer, type RawRequest, rawRequest } from '../../helpers/raw-request.ts'
import { APP_SECRET, serveWorld } from '../../helpers/served-world.ts'

export const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }
export const JSON_BODY = { 'Content-Type': 'application/json' }

/** The body of a form. */
export const form = (fields: { readonly [name: string]: string }): string =>
  new URLSearchParams(fields).toString()

export const idsIn = (page: { readonly data: readonly { readonly id: string }[] }): string[] =>
  page.data.map(({ id }) => id)

/** The world behind a server, and what all clients have in common: they send text, and parse what comes back. */
export const createWireClient = async () => {
  const world = await serveWorld()
  const { origin, token } = world
  const send = (path: string, request?: RawRequest): Promise<RawAnswer> => rawRequest(origin, path, request)
  const asked = async (path: string, request: RawRequest) => {
    const answer = await send(path, request)
    return { ...answer, body: JSON.parse(answer.text) }
  }
  const get = (path: string, headers: { readonly [name: string]: string } = {}) => asked(path, { headers })
  return {
    ...world,
    send,
    get,
    post: (path: string, request: RawRequest) => asked(path, { method: 'POST', ...request }),
    proof: createHmac('sha256', APP_SECRET).update(token).digest('hex'),
    /** What of a link comes behind its host. */
    afterHost: (url: string): string => url.replace(origin, ''),
    /** Reads all photos by what `follow` makes of the link to the next page. */
    walk: async (first: string, follow: (next: string) => string): Promise<string[]> => {
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
