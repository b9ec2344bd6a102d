import { createGraph as createUncheckedGraph } from '../../src/index.ts'

// The tests import this module as `kithgraph`. Their graphs have `checkReads`, unless a test sets it itself.
export * from '../../src/index.ts'

export const createGraph: typeof createUncheckedGraph = (store, options) =>
  createUncheckedGraph(store, { checkReads: true, ...options })
