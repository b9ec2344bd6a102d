import type { IdKind } from 'kithgraph'
import type { Store, StoreReadRequest, StoreReadResult } from '../../../src/store/contract.ts'
import { delegateStore } from '../../../src/testing/delegate-store.ts'
import { applyMutation, type Model, readModel, readModelRange } from '../../../src/testing/model.ts'
import { createModelStore, createModelStoreWith } from '../../../src/testing/model-store.ts'
import type { Sabotage } from './sabotage.ts'

/** Returns a store that declares the given kinds of ids. */
const withIdKinds = (store: Store, ids: readonly IdKind[]): Store =>
  delegateStore(store, { capabilities: { ...store.capabilities, ids } })

/** Creates a model store of named ids. */
export const createNamedModelStore = (): Store => withIdKinds(createModelStore(), ['named'])

/** Creates a model store of both kinds of ids. */
export const createModelStoreOfBothKinds = (): Store => withIdKinds(createModelStore(), ['digits', 'named'])

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

type ReadModel = (model: Model, request: StoreReadRequest) => StoreReadResult

/** Creates a sabotage of a model store of named ids. */
const sabotageReads = (name: string, read: ReadModel): Sabotage => ({
  name,
  section: 'named ids',
  create: () => withIdKinds(createModelStoreWith({ apply: applyMutation, read }), ['named']),
})

/** Replaces the ids before it compares them. */
const sabotageOrder = (name: string, toSortKey: (id: string) => string): Sabotage =>
  sabotageReads(name, (model, request) => ({
    ...readModel(model, request),
    ranges: request.ranges.map(range =>
      readModelRange(
        model,
        range,
        (a, b) => a.time - b.time || compareTexts(toSortKey(a.target), toSortKey(b.target)),
      ),
    ),
  }))

/** Finds a node by another id. */
const sabotageEquality = (name: string, toKey: (id: string) => string): Sabotage => {
  const find = ({ nodes }: Model, id: string) =>
    [...nodes.values()].find(node => toKey(node.id) === toKey(id))
  return sabotageReads(name, (model, request) => ({
    ...readModel(model, request),
    nodes: request.nodes.map(id => find(model, id)),
  }))
}

const padNumbers = (id: string): string => id.replace(/\d+/g, digits => digits.padStart(20, '0'))
const dropZeros = (id: string): string => id.replace(/(?<!\d)0+(?=\d)/g, '')

/** Stores that compare named ids wrongly. */
export const namedIdSabotages: readonly Sabotage[] = [
  sabotageOrder('ids compared as numbers', padNumbers),
  sabotageOrder('ids compared without case', id => id.toLowerCase()),
  sabotageOrder('ids compared without punctuation', id => id.replace(/[^a-zA-Z0-9]/g, '')),
  sabotageEquality('ids that are equal without case', id => id.toLowerCase()),
  sabotageEquality('ids that are equal as numbers', dropZeros),
  sabotageEquality('ids that are equal in their first 190 characters', id => id.slice(0, 190)),
]
