import type { ArchiveGraph, QueryStats } from './graph.ts'
import { SHORT_READS, type ShortRead } from './short-reads.ts'

/**
 * The report of a short read: the result, the number of store reads, and the median time of {@link ROUNDS}
 * queries.
 */
export type ReadReport = ShortRead & QueryStats & { readonly id: string; readonly result: object }

const ROUNDS = 101
const APP = 'archive'
const LATEST = 3

const sessionOf = ({ graph }: ArchiveGraph, viewer: string) => graph.session({ viewer, app: APP, scopes: [] })

/** A person and one of their messages that is a reply and has replies. */
export type Discussion = { readonly person: string; readonly message: string }

/** Finds the first person whose latest messages include such a message. */
export const findDiscussion = async (
  archive: ArchiveGraph,
  people: AsyncIterable<string>,
): Promise<Discussion> => {
  for await (const person of people) {
    const { data } = await archive.graph.getEdge(sessionOf(archive, person), {
      id: person,
      type: 'person',
      edge: 'messages',
      fields: 'parent.limit(1){id},comments.limit(1){id}',
      limit: LATEST,
    })
    const message = data.find(({ parent, comments }) => parent?.data.length && comments.data.length > 0)
    if (message !== undefined) return { person, message: message.id }
  }
  throw new Error('Nobody in the archive recently wrote a reply that has replies')
}

/** Runs all short reads for a person and one of their messages. */
export const runShortReads = async (
  archive: ArchiveGraph,
  { person, message }: Discussion,
): Promise<ReadReport[]> => {
  const { graph, latestStats } = archive
  const session = sessionOf(archive, person)
  const results: ReadReport[] = []
  for (const read of SHORT_READS) {
    const call = { id: read.about === 'person' ? person : message, fields: read.fields }
    const result = await graph.getNode(session, call)
    const times: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      await graph.getNode(session, call)
      times.push(latestStats().milliseconds)
    }
    const milliseconds = times.sort((a, b) => a - b)[ROUNDS >> 1] ?? 0
    results.push({ ...read, id: call.id, result, milliseconds, reads: latestStats().reads })
  }
  return results
}
