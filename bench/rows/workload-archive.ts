import { createMemoryStore } from 'kithgraph/memory'
import { type ArchiveGraph, createArchiveGraph } from '../../examples/social-archive/graph.ts'
import { loadArchive } from '../../examples/social-archive/load.ts'
import { readPersonIds } from '../../examples/social-archive/records.ts'
import { type Discussion, findDiscussion } from '../../examples/social-archive/run-short-reads.ts'
import { SHORT_READS } from '../../examples/social-archive/short-reads.ts'
import { readInTurn } from '../contenders/social-readers.ts'
import { alternate } from '../measure/alternate.ts'
import type { Finding } from '../measure/finding.ts'
import { spreadOf } from '../measure/statistics.ts'
import type { Row } from './row.ts'

/** The number of people whose messages are read in turn. */
const DISCUSSIONS = 32

const findDiscussions = async (graph: ArchiveGraph, archive: string): Promise<Discussion[]> => {
  const people = readPersonIds(archive)
  // Iterates without closing the source, so that each search continues where the previous one stopped.
  const rest: AsyncIterable<string> = { [Symbol.asyncIterator]: () => ({ next: () => people.next() }) }
  const found: Discussion[] = []
  while (found.length < DISCUSSIONS) found.push(await findDiscussion(graph, rest))
  await people.return(undefined)
  return found
}

const measureReads = async (
  { graph }: ArchiveGraph,
  discussions: readonly Discussion[],
): Promise<Finding[]> => {
  const sessions = new Map(
    discussions.map(({ person }) => [person, graph.session({ viewer: person, app: 'bench', scopes: [] })]),
  )
  const contenders = SHORT_READS.map(({ name, about, fields }) =>
    readInTurn(discussions, `${name}, of a ${about}`, async discussion => {
      const session = sessions.get(discussion.person)
      return session && graph.getNode(session, { id: discussion[about], fields })
    }),
  )
  const timings = await alternate(contenders)
  return contenders.map(({ name }, index) => ({
    label: name,
    figure: spreadOf(timings[index] ?? []),
    unit: 'µs',
  }))
}

export const createArchiveRow = (archive: string | undefined): Row => ({
  name: 'workload-archive',
  title: 'the seven short reads of the social-network workload on an archive (--data)',
  options: ['--data', 'ARCHIVE.tar.gz'],
  async measure() {
    if (archive === undefined) {
      process.stderr.write('*** SKIPPED: it needs an archive, given with --data ***\n')
      return []
    }
    const graph = createArchiveGraph(createMemoryStore())
    const { recordsPerSecond } = await loadArchive(graph, archive)
    return [
      { label: 'graph.load', figure: spreadOf([recordsPerSecond]), unit: '/s' },
      ...(await measureReads(graph, await findDiscussions(graph, archive))),
    ]
  },
})
