import {
  ASSOCIATIONS,
  type AssociationList,
  type AssociationName,
  type Associations,
  objectId,
} from './associations.ts'
import { createRandom } from './random.ts'

/** A read of TAO, with the names that TAO uses. `since` and `until` are seconds since the epoch. */
export type AssociationRead =
  | { readonly kind: 'obj_get'; readonly id: string }
  | {
      readonly kind: 'assoc_range'
      readonly id: string
      readonly edge: AssociationName
      readonly limit: number
    }
  | {
      readonly kind: 'assoc_get'
      readonly id: string
      readonly edge: AssociationName
      readonly target: string
    }
  | { readonly kind: 'assoc_count'; readonly id: string; readonly edge: AssociationName }
  | {
      readonly kind: 'assoc_time_range'
      readonly id: string
      readonly edge: AssociationName
      readonly limit: number
      readonly since: number
      readonly until: number
    }

/** The percentage of reads of each kind, as published in the TAO paper. */
export const READ_SHARES: readonly (readonly [kind: AssociationRead['kind'], share: number])[] = [
  ['assoc_range', 40.9],
  ['obj_get', 28.9],
  ['assoc_get', 15.7],
  ['assoc_count', 11.7],
  ['assoc_time_range', 2.8],
]

/**
 * The share of ranges that read only one entry. The other ranges read up to 100 entries, our maximum page
 * size.
 */
const ONE = { share: 0.12, limit: 1 }
const LARGEST_PAGE = 100

/** The skew of reads in LinkBench, as exponents of Zipf's law for objects and for lists. */
const SKEW = { objects: 0.625, lists: 0.8 }

/** The share of reads of one association for which the association exists. */
const HITS = 0.5

/** The length of a time range, in seconds. */
const MONTH = 30 * 24 * 3600

export const edgeKey = (source: string, name: string): string => `${name}:${source}`

/** Generates an endless sequence of reads. The sequence is the same in each run. */
export function* associationReads({ payloads, lists }: Associations): Generator<AssociationRead, never> {
  const random = createRandom(ASSOCIATIONS.seed + 1)
  const listAt = new Map<string, AssociationList>(lists.map(list => [edgeKey(list.source, list.name), list]))
  const someObject = (skew: number): string =>
    objectId(Math.floor(payloads.length * random() ** (1 / (1 - skew))))
  const oneOf = <TItem>(items: readonly TItem[]): TItem | undefined =>
    items[Math.floor(random() * items.length)]
  const someKind = (): AssociationRead['kind'] => {
    let left = random() * 100
    for (const [kind, share] of READ_SHARES) {
      left -= share
      if (left < 0) return kind
    }
    return 'assoc_range'
  }
  const readOf = (kind: AssociationRead['kind']): AssociationRead => {
    if (kind === 'obj_get') return { kind, id: someObject(SKEW.objects) }
    const id = someObject(SKEW.lists)
    const edge = oneOf(ASSOCIATIONS.names) ?? 'first'
    const entries = listAt.get(edgeKey(id, edge))?.entries ?? []
    const limit = random() < ONE.share ? ONE.limit : LARGEST_PAGE
    if (kind === 'assoc_range') return { kind, id, edge, limit }
    if (kind === 'assoc_count') return { kind, id, edge }
    const seenTargets = oneOf(entries)
    if (kind === 'assoc_get')
      return { kind, id, edge, target: (random() < HITS && seenTargets?.target) || someObject(SKEW.objects) }
    const until = Math.floor((seenTargets?.time ?? 0) / 1000)
    return { kind, id, edge, limit, since: until - MONTH, until }
  }
  for (;;) yield readOf(someKind())
}
