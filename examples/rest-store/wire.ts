import type { AheadStep, EdgeRange, ReadAhead, StoreReadRequest, WantedFields } from 'kithgraph'

/** The wanted fields of each type as JSON; `null` stands for all fields. */
export type WireFields = { readonly [type: string]: readonly string[] | null }

/** A step of a hint as JSON. */
export type WireStep = { readonly ahead?: WireHint | undefined; readonly fields?: WireFields | undefined } & (
  | (Pick<EdgeRange, 'name' | 'direction' | 'limit' | 'count'> & { readonly kind: 'list' })
  | { readonly kind: 'ref'; readonly field: string }
)

/** What to read next of each type of record. */
export type WireHint = { readonly [type: string]: readonly WireStep[] }

export type WireRange = Omit<EdgeRange, 'ahead'> & { readonly ahead?: WireHint | undefined }

/** A read request as JSON. `JSON.stringify` would print the maps and sets of a request as `{}`. */
export type WireRequest = Pick<StoreReadRequest, 'nodes' | 'checks' | 'tokens'> & {
  readonly ranges: readonly WireRange[]
  readonly nodesAhead?: readonly (WireHint | null)[] | undefined
  readonly fields?: WireFields | undefined
}

const toWireFields = (fields: WantedFields | undefined): WireFields | undefined =>
  fields && Object.fromEntries([...fields].map(([type, names]) => [type, names ? [...names] : null]))

const toWireStep = (step: AheadStep): WireStep => ({
  ...step,
  fields: toWireFields(step.fields),
  ahead: toWireHint(step.ahead),
})

const toWireHint = (hint: ReadAhead | undefined): WireHint | undefined =>
  hint && Object.fromEntries([...hint].map(([type, steps]) => [type, steps.map(toWireStep)]))

export const toWireRequest = (request: StoreReadRequest): WireRequest => {
  const { nodes, ranges, checks, tokens, fields, nodesAhead } = request
  return {
    nodes,
    ranges: ranges.map(range => ({ ...range, ahead: toWireHint(range.ahead) })),
    checks,
    tokens,
    fields: toWireFields(fields),
    nodesAhead: nodesAhead?.map(hint => toWireHint(hint) ?? null),
  }
}
