import { GraphError } from '../base/errors.ts'

/** Whether a method only reads. The method may be in lower case. */
export const isReadMethod = (method: string): boolean => /^(?:get|head)$/i.test(method)

/** Whether the body of a request contains parameters. The bodies of other methods are ignored. */
export const hasBodyParameters = (method: string): boolean => /^(?:post|delete)$/i.test(method)

/**
 * Creates the error for a method that the graph does not support for this request. Clients match the first
 * sentence of the message.
 */
export const methodNotSupportedError = (method: string, explanation: string): GraphError => {
  // The message shows the method only if it is a word.
  const methodWord = /^[A-Z]{1,20}$/.test(method) ? `${method.toLowerCase()} ` : ''
  return new GraphError('method_not_supported', `Unsupported ${methodWord}request. ${explanation}`)
}
