import type { EventGraph, Role } from './schema.ts'

/** A request that writes: the token of the person, the id in the path, and the members of the JSON body. */
export type WriteRequest = {
  readonly token: string
  readonly id: string
  readonly body: { readonly [name: string]: unknown }
}

/** An error of a request, with a message for the client. */
export class RequestError extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

export const readText = (body: WriteRequest['body'], name: string): string => {
  const value = body[name]
  if (typeof value === 'string' && value !== '') return value
  throw new RequestError(400, `Send a text as ${name}`)
}

/** Reads one of some words. */
export const readWord = <TWord extends string>(
  body: WriteRequest['body'],
  name: string,
  words: readonly TWord[],
): TWord => {
  const word = words.find(word => word === body[name])
  if (word === undefined) throw new RequestError(400, `Send one of these as ${name}: ${words.join(', ')}`)
  return word
}

/** Reads the id of the person whose token it is. Without `appIds`, the id in a result is also the stored id. */
export const readPerson = async (graph: EventGraph, token: string): Promise<string> =>
  String((await graph.getMe(token, { fields: 'id' })).id)

/**
 * Checks that the person has one of these roles in a group.
 *
 * @throws GraphError `node_not_found` if the person may not see the group.
 * @throws RequestError 403 if the person sees it and has another role, or none.
 */
export const assertRole = async (
  graph: EventGraph,
  token: string,
  group: string,
  roles: readonly Role[],
): Promise<void> => {
  const { viewer_role } = await graph.getNode(token, { id: group, type: 'group', fields: 'viewer_role' })
  if (viewer_role === undefined || !roles.includes(viewer_role))
    throw new RequestError(403, `Only people with this role in the group may do this: ${roles.join(', ')}`)
}
