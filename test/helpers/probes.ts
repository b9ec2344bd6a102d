import fc, { type Arbitrary } from 'fast-check'
import { isGraphError } from 'kithgraph'
import { callGraph } from './call-graph.ts'
import { findLinks, parseLink } from './links.ts'
import { ROOT } from './naive-graph/collections.ts'
import { printItems } from './naive-graph/query.ts'
import type { openWorld } from './open-world.ts'
import type { CallSpec } from './query-arbitraries.ts'

type OpenedWorld = Awaited<ReturnType<typeof openWorld>>
/** A graph, and the session or token for its calls. */
export type Caller = Pick<OpenedWorld, 'graph'> & {
  readonly session: Parameters<OpenedWorld['graph']['getMe']>[0]
}

/** A variant of a call: its method, its options and the side of its cursor. */
export type CallVariant = {
  readonly via: 'same' | 'getEdges' | 'iterateEdge' | 'hasEdge'
  readonly debug: 'all' | undefined
  readonly partial: boolean | undefined
  readonly metadata: boolean | undefined
  /** Whether a page always has a summary. */
  readonly summary: boolean
  readonly side: 'after' | 'before'
  /** Chooses the second source and other random parts of the probe. */
  readonly seed: number
}

export type Probe = { readonly callSpec: CallSpec; readonly variant: CallVariant }

const maybe = <T>(value: Arbitrary<T>): Arbitrary<T | undefined> =>
  fc.option(value, { nil: undefined, freq: 2 })

export const callVariants: Arbitrary<CallVariant> = fc.record({
  via: fc.constantFrom('same', 'same', 'getEdges', 'iterateEdge', 'hasEdge'),
  debug: maybe(fc.constant('all')),
  partial: maybe(fc.boolean()),
  metadata: maybe(fc.boolean()),
  summary: fc.boolean(),
  side: fc.constantFrom('after', 'before'),
  seed: fc.nat(30),
})

/** Returns the root ids of a call. */
export const idsOfCall = (callSpec: CallSpec): readonly string[] => {
  if (callSpec.method === 'getMe') return ['me']
  return callSpec.method === 'getNodes' ? callSpec.ids : [callSpec.id]
}

/** Replaces the root ids of a call. */
export const withIds = (callSpec: CallSpec, mapId: (id: string) => string): CallSpec => {
  if (callSpec.method === 'getMe') return callSpec
  if (callSpec.method === 'getNodes') return { ...callSpec, ids: [...new Set(callSpec.ids.map(mapId))] }
  return { ...callSpec, id: mapId(callSpec.id) }
}

/** Runs a probe. `ids` are the ids of nodes that it may use, and `cursor` is a cursor of its list. */
export const runProbe = async (
  { graph, session }: Caller,
  { callSpec, variant }: Probe,
  ids: readonly string[],
  cursor: string | undefined,
): Promise<unknown> => {
  const { via, debug, partial, metadata, side } = variant
  const debugOptions = { debug, partial }
  if (callSpec.method !== 'getEdge') {
    const described = callSpec.method === 'getNodes' ? debugOptions : { ...debugOptions, metadata }
    return callGraph(graph, session, { ...callSpec, ...described })
  }
  const other = ids[variant.seed % Math.max(1, ids.length)] ?? callSpec.id
  const { method: _, style, fields: items, id, edge, ...list } = callSpec
  const call = { ...list, summary: variant.summary || list.summary }
  const fields = items.length === 0 ? undefined : printItems(items, style)
  switch (via) {
    case 'same':
      return graph.getEdge(session, { id, edge, ...call, ...debugOptions, fields, [side]: cursor })
    case 'getEdges':
      return graph.getEdges(session, {
        ids: [...new Set([id, other])],
        edge,
        ...call,
        ...debugOptions,
        fields,
      })
    case 'hasEdge':
      return Promise.all(
        ids
          .filter(target => target !== ROOT)
          .map(target => graph.hasEdge(session, { id, edge, target, parameters: call.parameters })),
      )
    case 'iterateEdge': {
      const { summary: _summary, ...iterateOptions } = call
      const entries: unknown[] = []
      for await (const entry of graph.iterateEdge(session, { id, edge, ...iterateOptions, fields }))
        entries.push(entry)
      return entries
    }
  }
}

/**
 * Runs a call, and returns its result or its error as the text that a client receives, without the trace id.
 */
export const captureText = async (
  call: () => Promise<unknown>,
): Promise<{ text: string; result: unknown }> => {
  try {
    const result = await call()
    return { text: JSON.stringify(result), result }
  } catch (error) {
    if (!isGraphError(error)) throw error
    const envelope = error.toJSON().error
    return { text: JSON.stringify({ error: { ...envelope, fbtrace_id: '' } }), result: undefined }
  }
}

const MAX_LINKS = 4

/** Runs a probe and follows links in its results. Returns the texts of all results in order. */
export const recordTranscript = async (
  caller: Caller,
  probe: Probe,
  { ids, cursor }: { readonly ids: readonly string[]; readonly cursor?: string | undefined },
): Promise<readonly string[]> => {
  const first = await captureText(() => runProbe(caller, probe, ids, cursor))
  const texts = [first.text]
  const links = [...findLinks(first.result)]
  for (let turn = 0; turn < MAX_LINKS; turn++) {
    const link = links.splice(probe.variant.seed % Math.max(1, links.length), 1)[0]
    if (link === undefined) break
    const page = await captureText(async () => caller.graph.getEdge(caller.session, parseLink(link)))
    texts.push(page.text)
    links.push(...findLinks(page.result))
  }
  return texts
}
