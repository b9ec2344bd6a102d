import type { CompletionFlag, Store } from '../../../src/store/contract.ts'
import type { StoreMutation } from '../../../src/store/mutations.ts'
import { applyMutation, type Model, readModel } from '../../../src/testing/model.ts'
import { createModelStoreWith } from '../../../src/testing/model-store.ts'
import { type Sabotage, sabotageModel } from './sabotage.ts'

const SECTION = 'collections and orders'

type EntryMutation = Extract<StoreMutation, { op: 'deriveEntry' }>

/** Creates a sabotage of the model that derives entries in another way. */
const sabotageEntries = (
  name: string,
  derive: (model: Model, mutation: EntryMutation, index: number) => void,
): Sabotage => ({
  name,
  section: SECTION,
  create: () =>
    createModelStoreWith({
      apply: (model, mutation, index) =>
        mutation.op === 'deriveEntry'
          ? derive(model, mutation, index)
          : applyMutation(model, mutation, index),
      read: readModel,
    }),
})

type EntryEdge = Model['edges'][number]

/** Returns the stored entry of a mutation. */
const findEntry = ({ edges }: Model, { entry }: EntryMutation): EntryEdge | undefined =>
  edges.find(
    ({ source, name, target }) => source === entry.source && name === entry.name && target === entry.target,
  )

/** Derives an entry, and then replaces it. Without a result, there is no entry. */
const replaceEntry = (
  model: Model,
  mutation: EntryMutation,
  index: number,
  replace: (after: EntryEdge | undefined, before: EntryEdge | undefined) => EntryEdge | undefined,
): void => {
  const before = findEntry(model, mutation)
  applyMutation(model, mutation, index)
  const after = findEntry(model, mutation)
  const replaced = replace(after, before)
  model.edges = [...model.edges.filter(edge => edge !== after), ...(replaced === undefined ? [] : [replaced])]
}

const withoutEdgeTime = ({ data = {}, ...entry }: EntryEdge): EntryEdge => {
  const { '#time': _, ...members } = data
  return { ...entry, data: members }
}

const isDerived = ({ source, name }: { readonly source: string; readonly name: string }): boolean =>
  source === 'root' || name.includes('#')

const ignoreEntriesInCounts = (store: Store): Partial<Store> => ({
  read: async (request, options) => {
    const result = await store.read(request, options)
    const ranges = result.ranges.map((range, index) => {
      const requested = request.ranges[index]
      return requested && isDerived(requested) && range.total !== undefined ? { ...range, total: 0 } : range
    })
    return { ...result, ranges }
  },
})

/** Derives the entries of a batch before its other mutations. */
const deriveFirst = (store: Store): Partial<Store> => ({
  write: (mutations, options) => {
    const isEntry = ({ op }: StoreMutation): boolean => op === 'deriveEntry'
    const others = mutations.filter(mutation => !isEntry(mutation))
    return store.write([...mutations.filter(isEntry), ...others], options)
  },
})

/** Keeps the entries of a node or edge that a mutation deletes. */
const keepEntries: Sabotage = {
  name: 'entries that remain after their edge is deleted',
  section: SECTION,
  create: () =>
    createModelStoreWith({
      apply: (model, mutation, index) => {
        if (mutation.op !== 'deriveEntry') return applyMutation(model, mutation, index)
        replaceEntry(model, mutation, index, (after, before) => after ?? before)
      },
      read: readModel,
    }),
}

/** Does not delete the entries of a deleted node, which a new node with the same id then has. */
const keepEntriesOfNodes: Sabotage = {
  name: 'entries that a new node has from a deleted one',
  section: SECTION,
  create: () =>
    createModelStoreWith({
      apply: (model, mutation, index) => {
        const entries =
          mutation.op === 'deleteNode'
            ? model.edges.filter(edge => isDerived(edge) && edge.target === mutation.id)
            : []
        applyMutation(model, mutation, index)
        model.edges = [...model.edges, ...entries]
      },
      read: (model, request) =>
        readModel({ ...model, edges: model.edges.filter(({ target }) => model.nodes.has(target)) }, request),
    }),
}

const returnFlags = (store: Store, isSet: boolean | 'if it was put' | 'with any value'): Partial<Store> => {
  const putFlags = new Set<string>()
  const keyOf = ({ name, value }: CompletionFlag) => (isSet === 'with any value' ? name : `${name} ${value}`)
  return {
    read: async (request, options) => {
      const result = await store.read(request, options)
      return {
        ...result,
        ...(request.flags && {
          flags: request.flags.map((flag, index) => {
            if (typeof isSet === 'boolean') return isSet
            return putFlags.has(keyOf(flag)) || (isSet === 'with any value' && result.flags?.[index] === true)
          }),
        }),
      }
    },
    write: (mutations, options) => {
      for (const mutation of mutations) if (mutation.op === 'putFlag') putFlags.add(keyOf(mutation.flag))
      return store.write(mutations, options)
    },
  }
}

/** Stores with a defect in collections, orders or completion flags. */
export const entrySabotages: readonly Sabotage[] = [
  sabotageEntries('entries that keep their first time', (model, mutation, index) =>
    replaceEntry(model, mutation, index, (after, before) =>
      after && before ? { ...after, time: before.time } : after,
    ),
  ),
  sabotageEntries('entries of orders without the time of their edge', (model, mutation, index) =>
    replaceEntry(model, mutation, index, after =>
      after?.data === undefined ? after : withoutEdgeTime(after),
    ),
  ),
  sabotageEntries('entries whose field in seconds gives times in seconds', (model, mutation, index) => {
    const { by } = mutation.entry
    const entry = { ...mutation.entry, by: by && { ...by, factor: 1 as const } }
    applyMutation(model, { ...mutation, entry }, index)
  }),
  sabotageEntries('collections without a field that contain no nodes', (model, mutation, index) => {
    if (mutation.entry.by !== undefined) applyMutation(model, mutation, index)
  }),
  keepEntries,
  keepEntriesOfNodes,
  sabotageModel('counts that do not count entries', SECTION, ignoreEntriesInCounts),
  sabotageModel('entries that are derived before the other changes of a batch', SECTION, deriveFirst),
  sabotageModel('flags that are always set', SECTION, store => returnFlags(store, true)),
  sabotageModel('flags that an empty store does not have', SECTION, store =>
    returnFlags(store, 'if it was put'),
  ),
  sabotageModel('flags that keep each value', SECTION, store => returnFlags(store, 'with any value')),
]
