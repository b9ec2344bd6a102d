import { GraphError } from '../../base/faults.ts'

/** A batch that cannot be run as a whole. */
export const badBatch = (
  message: string,
  data: { readonly [name: string]: string | number } = {},
): GraphError => new GraphError('bad_batch', `(#100) ${message}`, data)
