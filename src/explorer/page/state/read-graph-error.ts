import { isNonArrayObject } from '../../../base/json.ts'
import { type ErrorDetails, parseError } from '../response/error-details.ts'
import type { TransportResponse } from './transport.ts'

const FIRST_ERROR_STATUS = 400

/**
 * Returns the error in a response of the graph, if it is one.
 *
 * @throws Error for a response that is not from the graph, such as the page of a proxy.
 */
export const readGraphError = ({ status, body }: TransportResponse): ErrorDetails | undefined => {
  const error = parseError(body)
  if (error === undefined && (status >= FIRST_ERROR_STATUS || !isNonArrayObject(body)))
    throw new Error(`The response has the status ${status}, and is not from the graph.`)
  return error
}
