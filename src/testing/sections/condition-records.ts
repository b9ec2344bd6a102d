import type { StoreReadRequest } from '../../store/contract.ts'
import type { StoreMutation } from '../../store/mutations.ts'
import { assertEqual } from '../assertions.ts'
import { createEmptyModel, readModel, writeModel } from '../model.ts'
import { createRange, putEdge, putNode } from '../records.ts'
import type { StoreProbe } from '../store-probe.ts'

/** The members of the node 1, and of its edge to the node 2. */
const MEMBERS = { role: 'admin', level: 3 }

/** Records that the conditions of tests are about. The edge from 1 to 3 has no data. */
export const RECORDS: readonly StoreMutation[] = [
  putNode('1', MEMBERS),
  putNode('2'),
  putNode('3'),
  putEdge('1', 'likes', '2', 1, MEMBERS),
  putEdge('1', 'likes', '3', 2),
]

const IDS = ['1', '2', '3', '9']
const NAMES = ['likes', 'knows', 'friends']

const REQUEST: StoreReadRequest = {
  nodes: IDS,
  ranges: IDS.flatMap(id => NAMES.map(name => createRange(id, name))),
  checks: [{ source: '1', name: 'likes', target: '2' }],
  tokens: ['digest'],
}

/** Asserts that a store contains the same records as a model to which the mutations were written. */
export const assertContains = async (
  store: StoreProbe,
  mutations: readonly StoreMutation[],
  label: string,
): Promise<void> => {
  const model = writeModel(createEmptyModel(), mutations)
  assertEqual(await store.read(REQUEST), readModel(model, REQUEST), `the records ${label}`)
}

/** Replaces all records by those of `RECORDS`. */
export const resetRecords = async (store: StoreProbe): Promise<void> => {
  const deletions = IDS.map((id): StoreMutation => ({ op: 'deleteNode', id }))
  await store.write(...deletions, ...RECORDS)
}
