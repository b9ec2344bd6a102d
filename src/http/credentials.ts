import { badParameter } from '../base/faults.ts'
import type { Parameters } from './parameters.ts'
import { headerOf, type WireRequest } from './wire.ts'

const tokenOfHeader = (request: WireRequest): string | undefined =>
  /^(?:Bearer|OAuth) +(\S+) *$/i.exec(headerOf(request, 'authorization') ?? '')?.[1]

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
