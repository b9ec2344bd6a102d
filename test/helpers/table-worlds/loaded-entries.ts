import { namedId } from 'kithgraph'
import type { JsonObject, JsonValue } from '../../../src/base/json.ts'
import { START, type TableWorld } from './rows.ts'

/** What sorts an entry; `null` for a row without a value. */
export type SortValue = number | null

/** The parts of the key of a target, in their order. */
type KeyParts = readonly (number | string)[]

/** An entry of a list that is loaded, before it has its place. */
export type LoadedEntry = {
  readonly target: string
  readonly key: KeyParts
  readonly value: SortValue
  readonly data?: JsonObject
}

/** Returns the members that have a value. */
export const withoutNulls = (fields: { readonly [name: string]: JsonValue }): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))

/** Returns the time of a row in milliseconds. */
export const toMs = (micros: number): number => START + Math.floor(micros / 1000)
export const idOrNull = (type: string, key: number | null): string | null =>
  key === null ? null : namedId(type, key)
export const accountId = (key: number): string => namedId('account', key)
export const photoId = (key: number): string => namedId('photo', key)

const compareParts = (a: KeyParts, b: KeyParts): number => {
  for (const [index, part] of a.entries()) {
    const other = b[index] ?? 0
    if (part !== other) return part < other ? -1 : 1
  }
  return 0
}

/** The order `oldest`: rows without a value, then ascending values, then keys. */
export const compareEntries = (a: LoadedEntry, b: LoadedEntry): number => {
  if (a.value === b.value) return compareParts(a.key, b.key)
  if (a.value === null || b.value === null) return a.value === null ? -1 : 1
  return a.value - b.value
}

/** Returns the rows that a tenant sees. */
export const filterRows = (world: TableWorld, tenant: number): TableWorld => {
  const isSeen = (row: { readonly tenant: number; readonly isDeleted?: boolean }): boolean =>
    row.tenant === tenant && row.isDeleted !== true
  return {
    accounts: world.accounts.filter(isSeen),
    photos: world.photos.filter(isSeen),
    comments: world.comments.filter(isSeen),
    follows: world.follows.filter(isSeen),
    teams: world.teams.filter(isSeen),
    memberships: world.memberships.filter(isSeen),
    revisions: world.revisions.filter(isSeen),
  }
}
