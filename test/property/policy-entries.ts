import fc, { type Arbitrary } from 'fast-check'
import type { IdKind } from '../../src/base/ids.ts'
import { digitsOf, idKinds, idOf } from '../helpers/id-kinds.ts'
import { type ListOptions, readWholeList, targets, times, windowOptions } from './edge-lists.ts'

/** An entry of the list. Stones are always visible, other targets only if they are open or befriended. */
export type Entry = {
  readonly time: number
  readonly target: string
  readonly state: 'open' | 'befriended' | 'closed'
  readonly mark: 'red' | 'blue'
}

/** Returns the type of the target of an entry. */
export const typeOf = (target: string) =>
  (['stone', 'soul', 'thing', 'thing'] as const)[Number(BigInt(digitsOf(target)) % 4n)]

/** Returns entries of digits with targets of a kind. */
export const withEntryTargets = (kind: IdKind, list: readonly Entry[]): readonly Entry[] =>
  list.map(entry => ({ ...entry, target: idOf(kind, typeOf(entry.target) ?? '', entry.target) }))

const isVisible = ({ target, state }: Entry): boolean => typeOf(target) === 'stone' || state !== 'closed'

/** Entries whose targets are digits. */
export const entries: Arbitrary<Entry> = fc.record({
  time: times,
  target: fc.oneof(targets, fc.integer({ min: 2, max: 80 }).map(String)),
  state: fc.constantFrom('open', 'befriended', 'closed', 'closed', 'closed'),
  mark: fc.constantFrom('red', 'red', 'blue'),
})

/** The entries of one list, most of them hidden. Their targets have ids of either kind. */
export const policyLists: Arbitrary<readonly Entry[]> = fc
  .tuple(idKinds, fc.uniqueArray(entries, { selector: ({ target }) => target, maxLength: 50, size: 'max' }))
  .map(([kind, list]) => withEntryTargets(kind, list))

/** The options of a page, with a value of the list's parameter in a third of the cases. */
export type PolicyListOptions = ListOptions & {
  readonly parameters?: { readonly mark: Entry['mark'] } | undefined
}

export const policyListOptions: Arbitrary<PolicyListOptions> = fc
  .tuple(windowOptions, fc.constantFrom(undefined, undefined, { mark: 'red' } as const))
  .map(([options, parameters]) => (parameters === undefined ? options : { ...options, parameters }))

/** Returns the entries that the viewer may see and that pass the filter of the list. */
export const filterVisible = (
  list: readonly Entry[],
  { parameters }: Pick<PolicyListOptions, 'parameters'>,
): readonly Entry[] =>
  list.filter(entry => isVisible(entry) && (parameters === undefined || entry.mark === parameters.mark))

/** Returns the targets of the visible entries of a list in the requested order and window. */
export const readWholeVisible = (list: readonly Entry[], options: PolicyListOptions): readonly string[] =>
  readWholeList(filterVisible(list, options), options)
