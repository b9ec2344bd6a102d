import { expect } from 'vitest'
import { createIdMapper } from '../helpers/app-id-options.ts'
import { callGraph, callNaiveGraph, captureOutcome } from '../helpers/call-graph.ts'
import { CursorTranslator } from '../helpers/naive-graph/cursor-translator.ts'
import { NaiveGraph } from '../helpers/naive-graph/naive-graph.ts'
import { printItems } from '../helpers/naive-graph/query.ts'
import { Cursor } from '../helpers/naive-graph/result-parts.ts'
import type { VisibleWorld } from '../helpers/naive-graph/visible-world.ts'
import type { World } from '../helpers/naive-graph/world.ts'
import { type OpenWorldOptions, openWorld } from '../helpers/open-world.ts'
import { withIds } from '../helpers/probes.ts'
import type { CallSpec } from '../helpers/query-arbitraries.ts'

type OpenedWorld = Pick<Awaited<ReturnType<typeof openWorld>>, 'graph' | 'session'>
type EdgeCallSpec = CallSpec & { readonly method: 'getEdge' }

/** Returns the cursors of a page of the naive graph. */
const cursorsIn = (page: object): readonly (readonly ['after' | 'before', Cursor])[] => {
  const { paging } = Object.assign({ paging: { cursors: {} } }, page)
  return Object.entries(paging.cursors).flatMap(([name, cursor]) =>
    cursor instanceof Cursor && (name === 'after' || name === 'before') ? [[name, cursor] as const] : [],
  )
}

/**
 * Compares the results of a graph with those of the naive graph as texts, so that the order of keys matters.
 */
class Comparison {
  readonly #openedWorld: OpenedWorld
  readonly #naive: NaiveGraph
  readonly #cursors = new CursorTranslator()

  constructor(opened: OpenedWorld, naive: NaiveGraph) {
    this.#openedWorld = opened
    this.#naive = naive
  }

  async compareCall(callSpec: CallSpec): Promise<void> {
    const { graph, session } = this.#openedWorld
    const outcome = await captureOutcome(() => callGraph(graph, session, callSpec))
    const naive = await captureOutcome(() => callNaiveGraph(this.#naive, callSpec))
    const expected = this.#cursors.translate(naive, outcome)
    // For several ids, the order of the keys is not defined.
    if (callSpec.method === 'getNodes') expect(outcome).toEqual(expected)
    else expect(JSON.stringify(outcome)).toBe(JSON.stringify(expected))
    if (callSpec.method === 'getEdge' && 'result' in naive)
      await this.#compareNeighbours(callSpec, Object(naive.result))
  }

  /** Compares the pages before and after a page. */
  async #compareNeighbours(callSpec: EdgeCallSpec, page: object): Promise<void> {
    const { graph, session } = this.#openedWorld
    const { method: _, style, fields: items, ...call } = callSpec
    const fields = items.length === 0 ? undefined : printItems(items, style)
    for (const [side, cursor] of cursorsIn(page)) {
      const text = this.#cursors.textOf(cursor)
      const result = await graph.getEdge(session, { ...call, fields, [side]: text })
      const naive = this.#naive.getEdge({ ...callSpec, [side]: cursor.position })
      expect(JSON.stringify(result)).toBe(JSON.stringify(this.#cursors.translate(naive, result)))
    }
  }
}

type Comparing = OpenWorldOptions & {
  readonly cost?: number | undefined
  /** The part of the world that the naive graph shows. Default: the part that the viewer may see. */
  readonly visible?: VisibleWorld | undefined
  /** Opens the graph. Default: `openWorld`. */
  readonly opener?: ((world: World, options: OpenWorldOptions) => Promise<OpenedWorld>) | undefined
}

/** Expects that the calls, and the pages next to theirs, have the same results as in the naive graph. */
export const compareWithNaive = async (
  world: World,
  calls: readonly CallSpec[],
  { cost, visible, opener = openWorld, ...options }: Comparing = {},
): Promise<void> => {
  const opened = await opener(world, { limits: { cost }, ...options })
  const toPublic = options.appIds?.forApp('tests').toPublic.bind(options.appIds.forApp('tests'))
  const comparison = new Comparison(opened, new NaiveGraph(world, { cost, toPublic, visible }))
  const mapId = createIdMapper([world], toPublic ?? (id => id))
  for (const callSpec of calls) await comparison.compareCall(withIds(callSpec, mapId))
}
