import type { ArchiveGraph, Taken } from './graph.ts'
import { SHORT_READS, type ShortRead } from './short-reads.ts'

/** A read with its answer, and what it took: the median time of {@link ROUNDS} queries. */
export type AnsweredRead = ShortRead & Taken & { readonly id: string; readonly answer: object }

const ROUNDS = 101
const APP = 'archive'
const LATEST = 3

const sessionOf = ({ graph }: ArchiveGraph, viewer: string) => graph.session({ viewer, app: APP, scopes: [] })

/** A person, and a message of theirs that replies to another and was replied to. */
export type Discussion = { readonly person: string; readonly message: string }

/** Looks for the first person with such a message among their latest ones. */
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
  throw new Error('Nobody in the archive wrote a reply lately that was replied to')
}

/** Asks all short reads for a person and one of their messages. */
export const askShortReads = async (
  archive: ArchiveGraph,
  { person, message }: Discussion,
): Promise<AnsweredRead[]> => {
  const { graph, latest } = archive
  const session = sessionOf(archive, person)
  const answers: AnsweredRead[] = []
  for (const read of SHORT_READS) {
    const call = { id: read.about === 'person' ? person : message, fields: read.fields }
    const answer = await graph.getNode(session, call)
    const times: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      await graph.getNode(session, call)
      times.push(latest().milliseconds)
    }
    const milliseconds = times.sort((a, b) => a - b)[ROUNDS >> 1] ?? 0
    answers.push({ ...read, id: call.id, answer, milliseconds, waves: latest().waves })
  }
  return answers
}
