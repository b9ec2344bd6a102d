import { badParameter } from '../base/faults.ts'
import { isPlainObject } from '../base/json.ts'
import type { Call } from '../execute/call.ts'
import { nodeMissing } from '../execute/roots.ts'
import { pictureType } from '../schema/picture-type.ts'
import { callOf, typeOf } from './call-of.ts'
import type { Exchange } from './exchange.ts'
import type { Answer } from './reply.ts'
import { VARY } from './wire.ts'

const PARAMETERS = ['width', 'height', 'type'] as const
const FOUND = 302

/** Whether a name that stands where edges stand is a picture instead: a field of some type, and no edge of any. */
export const isPicture = ({ service: { engine } }: Exchange, name: string): boolean => {
  const { registry } = engine
  if (registry.holdersOf(name).length > 0) return false
  return Object.keys(registry.schema.types).some(type => {
    const field = registry.field(type, name)
    return field?.kind === 'value' && field.type === pictureType
  })
}

const expressionOf = ({ parameters }: Exchange, name: string): string => {
  const modifiers = PARAMETERS.flatMap(parameter => {
    const text = parameters.text(parameter)
    if (text === undefined) return []
    if (!/^[a-z0-9]{1,10}$/.test(text)) throw badParameter(parameter, 'a size', 'another text')
    return [`.${parameter}(${text})`]
  })
  return name + modifiers.join('')
}

/** Stands for the origin that nobody knows where links are relative. */
const NOWHERE = 'https://nowhere.invalid'

/** A URL that a browser may be sent to, as it is read below the base. */
const safeUrl = (url: unknown, base: string): string | undefined => {
  const below = base || NOWHERE
  const parsed = typeof url === 'string' && URL.canParse(url, below) ? new URL(url, below) : undefined
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol)) return undefined
  const { origin, href } = parsed
  if (origin !== NOWHERE) return href
  // Two slashes in front would name another origin.
  return href.slice(NOWHERE.length).replace(/^\/\/+/, '/')
}

type Picture = { readonly data: { readonly [name: string]: unknown } }

const pictureIn = (node: unknown, name: string): Picture | undefined => {
  const picture = isPlainObject(node) ? node[name] : undefined
  return isPlainObject(picture) && isPlainObject(picture.data) ? { data: picture.data } : undefined
}

/**
 * Tells of the pictures of several nodes: nobody can be sent to more than one. Where `partial` is asked for, nodes without
 * one are left out.
 *
 * @throws GraphError `node_missing` for a node without one.
 */
export const answerPictures = async (
  exchange: Exchange,
  ids: readonly string[],
  name: string,
): Promise<string> => {
  const { reads, token } = exchange
  const fields = expressionOf(exchange, name)
  const call: Call = { ...callOf(exchange), unknownFields: 'error' }
  const answer: object = JSON.parse(await reads.nodes(token, { ...call, fields, ids }))
  const pictures = Object.entries(answer).flatMap(([key, node]) => {
    if (!ids.includes(key)) return [[key, node]]
    const picture = pictureIn(node, name)
    if (picture === undefined && call.partial !== true) throw nodeMissing(key)
    return picture === undefined ? [] : [[key, picture]]
  })
  return JSON.stringify(Object.fromEntries(pictures))
}

/**
 * Sends to a picture, or tells of it where `redirect` is false. It is all that is asked for: `partial` leaves nothing of it out.
 *
 * @throws GraphError `node_missing` for a node without one.
 */
export const answerPicture = async (exchange: Exchange, id: string, name: string): Promise<Answer> => {
  const { parameters, reads, token, base } = exchange
  const fields = expressionOf(exchange, name)
  const redirects = parameters.flag('redirect') ?? true
  const answer: unknown = JSON.parse(
    await reads.node(token, {
      ...callOf(exchange),
      partial: false,
      unknownFields: 'error',
      fields,
      id,
      type: typeOf(exchange),
    }),
  )
  const picture = pictureIn(answer, name)
  if (picture === undefined) throw nodeMissing(id)
  if (!redirects) return JSON.stringify(picture)
  const location = safeUrl(picture.data.url, base)
  if (location === undefined) throw nodeMissing(id)
  return {
    status: FOUND,
    headers: {
      Location: location,
      // Clients that follow no redirection tell a picture by this.
      'Content-Type': 'image/*',
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'private',
      Vary: VARY,
    },
    body: undefined,
  }
}
