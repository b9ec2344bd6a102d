import { createAssociationGraph } from '../contenders/association-graph.ts'
import { createAssociationMaps } from '../contenders/association-maps.ts'
import { readInTurn } from '../contenders/social-readers.ts'
import { type AssociationRead, associationReads, READ_SHARES } from '../data/association-reads.ts'
import { createAssociations } from '../data/associations.ts'
import { compare } from '../measure/compare.ts'
import type { Finding } from '../measure/finding.ts'
import { assertSameResults } from '../measure/same-results.ts'
import { spreadOf } from '../measure/statistics.ts'
import type { Row } from './row.ts'

/** A large number, so that consecutive reads of the same popular list are far apart. */
const READS = 100_000
const ASSERTED = 5_000

const OBJECTS = 100_000

/** Creates the row for a number of objects, with about eleven associations each. */
export const createTaoRow = (objects = OBJECTS): Row => ({
  name: 'workload-tao',
  options: objects === OBJECTS ? [] : ['--size', `${objects}`],
  title: `the mix of reads that TAO published, on ${objects} objects, with the list lengths of LinkBench`,
  async measure() {
    const associations = createAssociations(objects)
    const graph = await createAssociationGraph(associations)
    const maps = createAssociationMaps(associations)
    const endless = associationReads(associations)
    const reads = Array.from({ length: READS }, () => endless.next().value)
    await assertSameResults(
      reads.slice(0, ASSERTED),
      [graph.name, graph.read],
      [maps.name, maps.read],
      'bytes',
    )
    const measure = (label: string, inputs: readonly AssociationRead[]): Promise<Finding[]> =>
      compare(readInTurn(inputs, `${label}, ${graph.name}`, graph.read), [
        readInTurn(inputs, `${label}, ${maps.name}`, maps.read),
      ])
    const edges = associations.lists.reduce((sum, { entries }) => sum + entries.length, 0)
    const findings = [
      { label: 'associations', figure: spreadOf([edges]), unit: '' },
      ...(await measure('the mix', reads)),
    ]
    for (const [kind] of READ_SHARES) {
      const ofKind = reads.filter(read => read.kind === kind)
      findings.push(...(await measure(kind, ofKind)))
    }
    return findings
  },
})
