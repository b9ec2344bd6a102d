import { invalidParameterError } from '../base/errors.ts'
import { isNonArrayObject } from '../base/json.ts'
import { nodeNotFoundError } from '../execute/root-nodes.ts'
import type { GetNodesOptions, HandlerReadOptions } from '../interface/read-options.ts'
import { pictureType } from '../schema/picture-type.ts'
import type { ParsedRequest } from './parsed-request.ts'
import type { RouteResult } from './responses.ts'
import { parseNodeType, toCall } from './to-call.ts'
import type { WireResponse } from './wire.ts'
import { VARY_HEADER_VALUE } from './wire.ts'

const SIZE_PARAMETERS = ['width', 'height', 'type'] as const
const FOUND_STATUS = 302

/**
 * Whether a name in a path, at the position of an edge, is the name of a picture field: at least one type has
 * a picture field with this name, and no type has an edge with this name.
 */
export const isPictureField = ({ context: { engine } }: ParsedRequest, name: string): boolean => {
  const { registry } = engine
  if (registry.sourceTypesOf(name).length > 0) return false
  return Object.keys(registry.schema.types).some(type => {
    const field = registry.getField(type, name)
    return field?.kind === 'value' && field.type === pictureType
  })
}

const createPictureExpression = ({ parameters }: ParsedRequest, name: string): string => {
  const modifiers = SIZE_PARAMETERS.flatMap(parameter => {
    const text = parameters.getText(parameter)
    if (text === undefined) return []
    if (!/^[a-z0-9]{1,10}$/.test(text)) throw invalidParameterError(parameter, 'a size', 'another value')
    return [`.${parameter}(${text})`]
  })
  return name + modifiers.join('')
}

/** A placeholder for the origin, which is unknown with relative links. */
const PLACEHOLDER_ORIGIN = 'https://nowhere.invalid'

/** Resolves a URL against the base. Returns undefined if a browser must not be redirected to it. */
const toSafeUrl = (url: unknown, base: string): string | undefined => {
  const resolvedBase = base || PLACEHOLDER_ORIGIN
  const parsedUrl =
    typeof url === 'string' && URL.canParse(url, resolvedBase) ? new URL(url, resolvedBase) : undefined
  if (parsedUrl === undefined || !/^https?:$/.test(parsedUrl.protocol)) return undefined
  const { origin, href } = parsedUrl
  if (origin !== PLACEHOLDER_ORIGIN) return href
  // A URL that begins with two slashes would name another origin.
  return href.slice(PLACEHOLDER_ORIGIN.length).replace(/^\/\/+/, '/')
}

type Picture = { readonly data: { readonly [name: string]: unknown } }

const findPicture = (node: unknown, name: string): Picture | undefined => {
  const picture = isNonArrayObject(node) ? node[name] : undefined
  return isNonArrayObject(picture) && isNonArrayObject(picture.data) ? { data: picture.data } : undefined
}

/**
 * Returns the pictures of several nodes as JSON, because a redirect has only one target. With `partial`,
 * nodes without a picture are omitted.
 *
 * @throws GraphError `node_not_found` for a node without a picture.
 */
export const readPictures = async (
  parsed: ParsedRequest,
  ids: readonly string[],
  name: string,
): Promise<string> => {
  const { readApi, token } = parsed
  const fields = createPictureExpression(parsed, name)
  const options: HandlerReadOptions<GetNodesOptions> = {
    ...toCall(parsed),
    unknownFields: 'error',
    fields,
    ids,
  }
  const nodesById: object = JSON.parse(await readApi.getNodes(token, options))
  const pictures = Object.entries(nodesById).flatMap(([key, node]) => {
    if (!ids.includes(key)) return [[key, node]]
    const picture = findPicture(node, name)
    if (picture === undefined && options.partial !== true) throw nodeNotFoundError(key)
    return picture === undefined ? [] : [[key, picture]]
  })
  return JSON.stringify(Object.fromEntries(pictures))
}

/**
 * Redirects to a picture, or returns it as JSON if `redirect` is false. `partial` has no effect.
 *
 * @throws GraphError `node_not_found` for a node without a picture.
 */
export const respondWithPicture = async (
  parsed: ParsedRequest,
  id: string,
  name: string,
): Promise<RouteResult> => {
  const { parameters, readApi, token, baseUrl } = parsed
  const fields = createPictureExpression(parsed, name)
  const shouldRedirect = parameters.getFlag('redirect') ?? true
  const node: unknown = JSON.parse(
    await readApi.getNode(token, {
      ...toCall(parsed),
      partial: false,
      unknownFields: 'error',
      fields,
      id,
      type: parseNodeType(parsed),
    }),
  )
  const picture = findPicture(node, name)
  if (picture === undefined) throw nodeNotFoundError(id)
  if (!shouldRedirect) return JSON.stringify(picture)
  const location = toSafeUrl(picture.data.url, baseUrl)
  if (location === undefined) throw nodeNotFoundError(id)
  return {
    status: FOUND_STATUS,
    headers: {
      Location: location,
      // Clients that do not follow redirects recognize a picture by this type.
      'Content-Type': 'image/*',
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'private',
      Vary: VARY_HEADER_VALUE,
    },
    body: undefined,
  }
}

const DEFAULT_PICTURE_SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><rect width="100" height="100" fill="#d8dce3"/>' +
  '<g fill="#fff"><circle cx="50" cy="38" r="18"/><path d="M14 100a36 36 0 0 1 72 0z"/></g></svg>'

/** Creates the response with the default picture. */
export const createDefaultPictureResponse = (): WireResponse => ({
  status: 200,
  headers: {
    'Content-Type': 'image/svg+xml',
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'",
    'Cache-Control': 'public, max-age=86400',
  },
  body: DEFAULT_PICTURE_SVG,
})
