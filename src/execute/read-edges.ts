import type { Wave } from '../store/contract.ts'
import { askNodes, NOTHING } from '../store/nothing.ts'
import type { Context } from './context.ts'
import { type Course, settled } from './course.ts'
import { enterSources, type SourceBatch } from './edge-sources.ts'
import { type EdgesCall, type EdgesInput, hasSessionCursor, readEdgesCall } from './edges-call.ts'
import { gatherPages, haveTwins, readPages } from './gather.ts'
import type { PagesCell } from './gathered.ts'
import { judged } from './judge.ts'
import { assertHoldsFor, rangeOf, windowToRead, withClosed } from './page.ts'
import type { Projection, StartProjection } from './projection.ts'
import type { Query } from './query.ts'
import { rootIds, waitsFor } from './roots.ts'
import { firstSize } from './visible-pages.ts'
import { all, type Walk } from './walk.ts'

const waveOf = (query: Query, { edge, several }: EdgesInput, call: EdgesCall): Wave => {
  const { presumed, limit, summary } = call
  const nodes = rootIds(query, call.ids, several)
  if (presumed === undefined) return askNodes(nodes)
  const shape = { name: edge, order: presumed.order, limit, summary }
  const window = call.windowIn(presumed)
  assertHoldsFor(nodes, shape, window)
  const first = presumed.isSifted ? firstSize(query.engine.passSizes, shape, query.scan.left) : limit
  const read = windowToRead(shape, window)
  return { ...NOTHING, nodes, ranges: nodes.map(id => rangeOf(id, shape, read, first)) }
}

function* gatherBatch(
  context: Context,
  { several }: EdgesInput,
  { type, edge: { policy }, shape, window, plan, sources }: SourceBatch,
): Walk<PagesCell> {
  const asked = sources.map(({ record }) => record)
  assertHoldsFor(
    asked.map(({ id }) => id),
    shape,
    window,
  )
  const cases = policy && asked.map(record => ({ policy, record }))
  const isOpen = cases && (yield* judged(context.judge, cases))
  const open = isOpen === undefined ? sources : sources.filter((_, index) => isOpen[index])
  const slices = open.flatMap(({ slice }) => slice ?? [])
  const first = slices.length === open.length ? slices : undefined
  const { selection } = plan
  // The plan decides whether the page may end at the scan limit, so that the data shows in nothing else.
  const isCuttable = !several && !shape.summary && selection.openings.size === 0
  const ids = open.map(({ record }) => record.id)
  const lists = { shape, window, selection, sources: ids, from: type, isCuttable }
  const areShared = haveTwins(ids)
  const read = yield* readPages(context, lists, areShared, first)
  const pages = isOpen === undefined ? read : withClosed(shape, isOpen, read)
  return yield* gatherPages(context, plan, pages, areShared)
}

function* projectBatches<TPage>(
  { engine: { registry } }: Query,
  context: Context,
  projection: Projection<unknown, TPage>,
  batches: readonly SourceBatch[],
  gathered: readonly PagesCell[],
): Walk<Map<string, TPage>> {
  const answers = new Map<string, TPage>()
  for (const [batch, { type, shape, window, plan, sources }] of batches.entries()) {
    const cell = gathered[batch]
    const from = registry.type(type)
    if (cell === undefined || from === undefined) continue
    const writer = projection.list({ shape, window, selection: plan.selection, from })
    for (const [index, { id, record }] of sources.entries()) {
      const page = context.isLarge
        ? yield* projection.pageInStretches(cell, index, record.id, writer)
        : projection.pageOf(cell, index, record.id, writer)
      answers.set(id, page)
    }
  }
  return answers
}

/** Reads the edges of one name of some nodes; the answers, in the form of the projection, are keyed by the ids as asked. */
export function* readEdges<TPage>(
  query: Query,
  input: EdgesInput,
  Start: StartProjection<unknown, TPage>,
): Course<Map<string, TPage>> {
  const { prepared: call, answer } = yield* query.open({
    ask() {
      const prepared = readEdgesCall(query, input)
      return { prepared, wave: waveOf(query, input, prepared) }
    },
    waits: input.ids.some(waitsFor) || hasSessionCursor(query, input),
  })
  const { batches, context } = yield* enterSources(query, input, call, answer)
  const gathered = yield* all(batches.map(batch => gatherBatch(context, input, batch)))
  const computing = context.computed()
  if (computing !== undefined) yield* settled(computing)
  return yield* projectBatches(query, context, new Start(context), batches, gathered)
}
