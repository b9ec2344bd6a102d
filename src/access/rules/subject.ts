import { describe } from '../../base/describe.ts'
import { isNodeId, type NodeId } from '../../base/ids.ts'
import { assertKinds, assertObject, type OptionKinds } from '../../base/options.ts'
import type { NodeRecord } from '../../store/contract.ts'

/** What a rule about a node and the viewer may be told. */
export type RuleOptions = {
  /**
   * The ref field that names the node in question; default: it is the record itself. If the stored value is not an id, the
   * policy denies.
   */
  readonly of?: string | undefined
}

const OPTIONS = { of: 'text' } as const satisfies OptionKinds

/** The `of` of a rule's options. */
export const ofOption = (place: string, options: RuleOptions | undefined): string | undefined => {
  if (options !== undefined) assertObject(place, options)
  const unknown = Object.keys(options ?? {}).find(name => name !== 'of')
  if (unknown !== undefined)
    throw new TypeError(`${place}: unknown option ${describe(unknown)}; expected "of" or none`)
  assertKinds(place, options, OPTIONS)
  return options?.of
}

/** The node that a rule asks about; undefined where the ref names none. */
export const subjectOf = (record: NodeRecord, of: string | undefined): NodeId | undefined => {
  if (of === undefined) return record.id
  const id = record.fields[of]
  return isNodeId(id) ? id : undefined
}

/** @throws TypeError for what cannot be a word of a schema. */
export const assertWord = (place: string, expected: string, word: unknown): void => {
  if (typeof word === 'string' && word !== '') return
  throw new TypeError(`${place}: expected ${expected}, came ${describe(word)}`)
}
