import { GraphError, isGraphError } from '../../../src/base/errors.ts'
import type { NodeId } from '../../../src/base/ids.ts'
import type {
  EdgeCheck,
  EdgeRecord,
  NodeRecord,
  Store,
  StoreReadRequest,
  StoreReadResult,
  StoreSnapshot,
} from '../../../src/store/contract.ts'
import type { StoreMutation } from '../../../src/store/mutations.ts'
import { createModelStore } from '../../../src/testing/model-store.ts'
import { type Sabotage, sabotageModel } from './sabotage.ts'

const keepFirstCount = (store: Store): Partial<Store> => {
  const counts = new Map<string, number | undefined>()
  return {
    read: async (request, options) => {
      const result = await store.read(request, options)
      const ranges = result.ranges.map((rangeResult, index) => {
        const key = JSON.stringify([request.ranges[index]?.source, request.ranges[index]?.name])
        if (rangeResult.total !== undefined && !counts.has(key)) counts.set(key, rangeResult.total)
        return { ...rangeResult, total: rangeResult.total === undefined ? undefined : counts.get(key) }
      })
      return { ...result, ranges }
    },
  }
}

/** Returns the same objects for the same request, until the next write. */
const leakRecords = (store: Store): Partial<Store> => {
  const results = new Map<string, StoreReadResult>()
  return {
    read: async (request, options) => {
      const key = JSON.stringify(request)
      const result = results.get(key) ?? (await store.read(request, options))
      results.set(key, result)
      return result
    },
    write: (mutations, options) => {
      results.clear()
      return store.write(mutations, options)
    },
  }
}

const keepGivenRecords = (store: Store): Partial<Store> => {
  const kept = new Map<NodeId, NodeRecord>()
  return {
    read: async (request, options) => {
      const result = await store.read(request, options)
      return { ...result, nodes: result.nodes.map(node => node && (kept.get(node.id) ?? node)) }
    },
    write: async (mutations, options) => {
      const written = await store.write(mutations, options)
      for (const mutation of mutations) {
        if (mutation.op === 'putNode') kept.set(mutation.node.id, mutation.node)
        else if (mutation.op === 'patchNode') kept.delete(mutation.id)
      }
      return written
    },
  }
}

/** Writes a batch in parts. The error of a rejected part has its index in the whole batch. */
const writeInParts =
  (store: Store, size: number): Store['write'] =>
  async (mutations, options) => {
    for (let start = 0; start < mutations.length; start += size)
      try {
        await store.write(mutations.slice(start, start + size), options)
      } catch (error) {
        throw isGraphError(error) ? withIndex(error, Number(error.data.index) + start) : error
      }
    return { revision: undefined }
  }

/** Returns an error with the index of another mutation. */
const withIndex = ({ message, data }: GraphError, index: number): GraphError =>
  new GraphError('invalid_mutation', message, { ...data, index })

const sabotageErrorIndex = (
  name: string,
  toIndex: (index: number, mutations: readonly StoreMutation[]) => number,
): Sabotage =>
  sabotageModel(name, 'batches', store => ({
    write: async (mutations, options) => {
      try {
        return await store.write(mutations, options)
      } catch (error) {
        throw isGraphError(error) ? withIndex(error, toIndex(Number(error.data.index), mutations)) : error
      }
    },
  }))

/** Reads a snapshot from the live store after 20 later writes. */
const forgetSnapshots = (store: Store): Partial<Store> => {
  let writes = 0
  return {
    write: (mutations, options) => {
      writes++
      return store.write(mutations, options)
    },
    snapshot: async () => {
      const snapshot = await store.snapshot()
      const before = writes
      return {
        read: (request, options) => (writes - before > 20 ? store : snapshot).read(request, options),
        close: () => snapshot.close(),
      }
    },
  }
}

const useLiveCounts = (store: Store): Partial<Store> => ({
  snapshot: async () => {
    const snapshot = await store.snapshot()
    return {
      read: async (request, options) => {
        const result = await snapshot.read(request, options)
        const live = (await store.read(request, options)).ranges
        const ranges = result.ranges.map((rangeResult, index) =>
          Number(rangeResult.total) > 20 ? { ...rangeResult, total: live[index]?.total } : rangeResult,
        )
        return { ...result, ranges }
      },
      close: () => snapshot.close(),
    }
  },
})

/** Reads the state before the last write, unless a read requires the revision of that write. */
const delayReads = (store: Store): Partial<Store> => {
  let previous: StoreSnapshot | undefined
  let writes = 0
  return {
    write: async (mutations, options) => {
      previous = await store.snapshot()
      await store.write(mutations, options)
      return { revision: `${++writes}` }
    },
    read: (request, options) =>
      (options.minRevision === `${writes}` ? store : (previous ?? store)).read(request, options),
  }
}

const MAX_KEYS = 100

/** Changes the result of each check. */
const sabotageChecks = (
  name: string,
  change: (result: boolean | EdgeRecord, check: EdgeCheck, results: StoreReadResult['checks']) => unknown,
): Sabotage =>
  sabotageModel(name, 'checks', store => ({
    read: async (request, options) => {
      const result = await store.read(request, options)
      const checks = result.checks.map((found, index) => {
        const check = request.checks[index]
        return check === undefined ? found : change(found, check, result.checks)
      })
      // The type does not allow the defects that a store may have.
      return Object.assign(result, { checks })
    },
  }))

/** Stores that are wrong about the data of checked edges. */
const checkDataSabotages: readonly Sabotage[] = [
  sabotageChecks('checks that ignore data', found => found !== false),
  sabotageChecks('a check with data that is undefined for a missing edge', (found, { data }) =>
    data === true && found === false ? undefined : found,
  ),
  sabotageChecks('a check with data that is true for an edge without data', found =>
    typeof found === 'boolean' ? found : found.data === undefined || found,
  ),
  sabotageChecks('a check with data that has the data of another edge', (found, _, results) => {
    const record = results.find(result => typeof result !== 'boolean')
    return typeof found === 'boolean' || typeof record !== 'object' ? found : { ...found, data: record.data }
  }),
  sabotageChecks('a check with data that returns another edge', (found, _, results) =>
    typeof found === 'boolean' ? found : results.findLast(result => typeof result !== 'boolean'),
  ),
  sabotageChecks('a check with data that has no time', found =>
    typeof found === 'boolean' ? found : { ...found, time: 0 },
  ),
  sabotageChecks('a check with data that returns only the data', found =>
    typeof found === 'boolean' ? found : (found.data ?? {}),
  ),
  sabotageModel('a check without data that returns the record', 'checks', store => ({
    read: (request, options) =>
      store.read({ ...request, checks: request.checks.map(check => ({ ...check, data: true })) }, options),
  })),
]

/** Returns a request without the last of the wanted fields of each type. */
const withoutLastField = (request: StoreReadRequest): StoreReadRequest => {
  const { fields } = request
  const shortened =
    fields && [...fields].map(([type, names]) => [type, names && new Set([...names].slice(0, -1))] as const)
  return { ...request, fields: shortened && new Map(shortened) }
}

const isFirst = <T>(value: T, index: number, values: readonly T[]): boolean => values.indexOf(value) === index

/** Creates a function that returns the same store for every call. */
const createSharedStore = (): (() => Store) => {
  const store = createModelStore()
  return () => store
}

/** Stores that are wrong about batches, read requests, snapshots or the ownership of records. */
export const storeSabotages: readonly Sabotage[] = [
  sabotageModel('a batch that is partly written if it fails', 'batches', store => ({
    write: writeInParts(store, 1),
  })),
  sabotageModel(
    'a batch of more than 1,000 mutations that is partly written if it fails',
    'batches',
    store => ({
      write: writeInParts(store, 1000),
    }),
  ),
  sabotageErrorIndex('an error with the index of the last mutation', (_, mutations) => mutations.length - 1),
  sabotageErrorIndex('an error with an index that counts from 1', index => index + 1),
  sabotageModel('an invalid batch that does not fail', 'batches', store => ({
    write: async (mutations, options) => {
      try {
        return await store.write(mutations, options)
      } catch {
        return { revision: undefined }
      }
    },
  })),
  sabotageModel('an error that is not invalid_mutation', 'batches', store => ({
    write: async (mutations, options) => {
      try {
        return await store.write(mutations, options)
      } catch (cause) {
        throw new Error('constraint failed', { cause })
      }
    },
  })),
  sabotageModel('a count that is never updated', 'counts', keepFirstCount),
  sabotageModel('records that are returned without a copy', 'immutability', leakRecords),
  sabotageModel('records that are kept without a copy', 'immutability', keepGivenRecords),
  sabotageModel('a snapshot that sees later writes', 'snapshots', store => ({
    snapshot: () => ({ read: (request, options) => store.read(request, options), close: () => undefined }),
  })),
  sabotageModel('snapshots that are declared but not supported', 'snapshots', () => ({
    snapshot: () => Promise.reject(new Error('not supported')),
  })),
  sabotageModel('a snapshot that is forgotten after 20 writes', 'snapshots', forgetSnapshots),
  sabotageModel('a snapshot with the live count of a long list', 'snapshots', useLiveCounts),
  sabotageModel('duplicates that have a single result', 'reads', store => ({
    read: (request, options) => store.read({ ...request, nodes: request.nodes.filter(isFirst) }, options),
  })),
  sabotageModel('duplicates with a result only at the first index', 'reads', store => ({
    read: async (request, options) => {
      const result = await store.read(request, options)
      return {
        ...result,
        nodes: result.nodes.map((node, index) =>
          isFirst(request.nodes[index], index, request.nodes) ? node : undefined,
        ),
      }
    },
  })),
  sabotageModel('read requests that check only 100 edges', 'reads', store => ({
    read: (request, options) =>
      store.read({ ...request, checks: request.checks.slice(0, MAX_KEYS) }, options),
  })),
  sabotageModel('one limit for all ranges of a read request', 'reads', store => ({
    read: (request, options) => {
      const limit = request.ranges[0]?.limit ?? 0
      return store.read({ ...request, ranges: request.ranges.map(range => ({ ...range, limit })) }, options)
    },
  })),
  sabotageModel('wanted fields that are missing', 'reads', store => ({
    read: (request, options) => store.read(withoutLastField(request), options),
  })),
  sabotageModel('wanted fields of entries that are missing', 'reads', store => ({
    read: async (request, options) => {
      const { ranges } = await store.read(withoutLastField(request), options)
      return { ...(await store.read(request, options)), ranges }
    },
  })),
  sabotageModel('no fields of a type of which all are wanted', 'reads', store => ({
    read: (request, options) => {
      const { fields } = request
      const names = fields && [...fields].filter(([, wanted]) => wanted !== undefined)
      return store.read({ ...request, fields: names && new Map(names) }, options)
    },
  })),
  sabotageModel('a missing node that is null', 'nodes', store => ({
    read: async (request, options) => {
      const result = await store.read(request, options)
      return { ...result, nodes: JSON.parse(JSON.stringify(result.nodes)) }
    },
  })),
  sabotageModel('checks that ignore the direction of an edge', 'checks', store => ({
    read: async (request, options) => {
      const result = await store.read(request, options)
      const reversed = request.checks.map(({ source, name, target }) => ({
        source: target,
        name,
        target: source,
      }))
      const { checks } = await store.read({ ...request, checks: reversed }, options)
      return { ...result, checks: result.checks.map((found, index) => found || checks[index] === true) }
    },
  })),
  ...checkDataSabotages,
  sabotageModel('a read of the newest revision from a delayed replica', 'lifecycle', delayReads),
  { name: 'a new store with the data of another', section: 'lifecycle', create: createSharedStore() },
]
