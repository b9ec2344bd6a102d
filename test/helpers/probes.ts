import fc, { type Arbitrary } from 'fast-check'
import { isGraphError } from 'kithgraph'
import { ask } from './ask.ts'
import { callOf, linksIn } from './links.ts'
import { printItems } from './naive-graph/query.ts'
import type { openWorld } from './open-world.ts'
import type { Question } from './query-arbitraries.ts'

type Opened = Awaited<ReturnType<typeof openWorld>>
/** Who asks: a graph, and the session or token to ask it with. */
export type Prober = Pick<Opened, 'graph'> & { readonly session: Parameters<Opened['graph']['getMe']>[0] }

/** How a question is asked apart from what it is about: as a read of another kind, with remarks, at a cursor. */
export type Manner = {
  readonly as: 'asked' | 'getEdges' | 'iterateEdge' | 'hasEdge'
  readonly debug: 'all' | undefined
  readonly partial: boolean | undefined
  readonly metadata: boolean | undefined
  /** Whether a page is to have a summary in any case. */
  readonly summary: boolean
  readonly side: 'after' | 'before'
  /** Which node is the second source. */
  readonly other: number
}

export type Probe = { readonly question: Question; readonly manner: Manner }

const maybe = <T>(value: Arbitrary<T>): Arbitrary<T | undefined> =>
  fc.option(value, { nil: undefined, freq: 2 })

export const manners: Arbitrary<Manner> = fc.record({
  as: fc.constantFrom('asked', 'asked', 'getEdges', 'iterateEdge', 'hasEdge'),
  debug: maybe(fc.constant('all')),
  partial: maybe(fc.boolean()),
  metadata: maybe(fc.boolean()),
  summary: fc.boolean(),
  side: fc.constantFrom('after', 'before'),
  other: fc.nat(30),
})

/** The ids that a question is about. */
export const idsAskedIn = (question: Question): readonly string[] => {
  if (question.method === 'getMe') return ['me']
  return question.method === 'getNodes' ? question.ids : [question.id]
}

/** A question with other ids in the places of its own. */
export const withIds = (question: Question, name: (id: string) => string): Question => {
  if (question.method === 'getMe') return question
  if (question.method === 'getNodes') return { ...question, ids: [...new Set(question.ids.map(name))] }
  return { ...question, id: name(question.id) }
}

/** Asks in the manner of a probe. `ids` are those that there are to ask about, `cursor` a place in the list. */
export const asked = async (
  { graph, session }: Prober,
  { question, manner }: Probe,
  ids: readonly string[],
  cursor: string | undefined,
): Promise<unknown> => {
  const { as, debug, partial, metadata, side } = manner
  const remarks = { debug, partial }
  if (question.method !== 'getEdge') {
    const described = question.method === 'getNodes' ? remarks : { ...remarks, metadata }
    return ask(graph, session, { ...question, ...described })
  }
  const other = ids[manner.other % Math.max(1, ids.length)] ?? question.id
  const { method: _, style, fields: items, id, edge, ...list } = question
  const call = { ...list, summary: manner.summary || list.summary }
  const fields = items.length === 0 ? undefined : printItems(items, style)
  switch (as) {
    case 'asked':
      return graph.getEdge(session, { id, edge, ...call, ...remarks, fields, [side]: cursor })
    case 'getEdges':
      return graph.getEdges(session, { ids: [...new Set([id, other])], edge, ...call, ...remarks, fields })
    case 'hasEdge':
      return Promise.all(ids.map(target => graph.hasEdge(session, { id, edge, target })))
    case 'iterateEdge': {
      const { summary: _summary, ...walk } = call
      const entries: unknown[] = []
      for await (const entry of graph.iterateEdge(session, { id, edge, ...walk, fields })) entries.push(entry)
      return entries
    }
  }
}

/** Runs a call to what a client gets of it, as text: the answer, or the fault without its trace id. */
export const textOf = async (call: () => Promise<unknown>): Promise<{ text: string; answer: unknown }> => {
  try {
    const answer = await call()
    return { text: JSON.stringify(answer), answer }
  } catch (error) {
    if (!isGraphError(error)) throw error
    const { error: fault } = error.toJSON()
    return { text: JSON.stringify({ error: { ...fault, fbtrace_id: '' } }), answer: undefined }
  }
}

const MOST_LINKS = 4

/** All that a client gets who asks and then follows links, as texts in the order in which they came. */
export const transcriptOf = async (
  prober: Prober,
  probe: Probe,
  { ids, cursor }: { readonly ids: readonly string[]; readonly cursor?: string | undefined },
): Promise<readonly string[]> => {
  const first = await textOf(() => asked(prober, probe, ids, cursor))
  const texts = [first.text]
  const links = [...linksIn(first.answer)]
  for (let turn = 0; turn < MOST_LINKS; turn++) {
    const link = links.splice(probe.manner.other % Math.max(1, links.length), 1)[0]
    if (link === undefined) break
    const page = await textOf(async () => prober.graph.getEdge(prober.session, callOf(link)))
    texts.push(page.text)
    links.push(...linksIn(page.answer))
  }
  return texts
}
