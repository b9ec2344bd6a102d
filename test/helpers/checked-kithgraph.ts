import { createGraph as createUncheckedGraph } from '../../src/index.ts'

// The tests import this module as `kithgraph`. Their graphs have `checkReads`, unless a test sets it itself.
export * from '../../src/index.ts'

const isObject = (options: unknown): boolean =>
  options === undefined || (typeof options === 'object' && options !== null && !Array.isArray(options))

export const createGraph: typeof createUncheckedGraph = (store, options) =>
  createUncheckedGraph(store, isObject(options) ? { checkReads: true, ...options } : options)
