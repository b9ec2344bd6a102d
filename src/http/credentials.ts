import { badParameter } from '../base/faults.ts'
import type { Parameters } from './parameters.ts'
import { headerOf, type WireRequest } from './wire.ts'

const BEARER = 'Bearer '

const tokenOfHeader = (request: WireRequest): string | undefined => {
  const header = headerOf(request, 'authorization')
  if (header === undefined) return undefined
  // As nearly all write it: to look for blanks alone takes half the time.
  const token = header.startsWith(BEARER) ? header.slice(BEARER.length) : ''
  if (token !== '' && !/\s/.test(token)) return token
  return /^(?:Bearer|OAuth) +(\S+) *$/i.exec(header)?.[1]
}

/**
 * The token of a request: a parameter, or a header of the kind Bearer or OAuth.
 *
 * @throws GraphError `bad_parameter` where two come that differ.
 */
export const tokenOf = (request: WireRequest, parameters: Parameters): string | undefined => {
  const inHeader = tokenOfHeader(request)
  const asParameter = parameters.text('access_token')
  if (inHeader !== undefined && asParameter !== undefined && inHeader !== asParameter) {
    throw badParameter('access_token', 'one token', 'two that differ')
  }
  return asParameter ?? inHeader
}
