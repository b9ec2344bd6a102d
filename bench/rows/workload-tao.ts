import { createAssociationGraph } from '../contenders/association-graph.ts'
import { createAssociationMaps } from '../contenders/association-maps.ts'
import { inTurn } from '../contenders/social-readers.ts'
import { type AssociationRead, associationReads, READ_SHARES } from '../data/association-reads.ts'
import { createAssociations } from '../data/associations.ts'
import { compare } from '../measure/compare.ts'
import type { Finding } from '../measure/finding.ts'
import { assertSameAnswers } from '../measure/same-answers.ts'
import { spreadOf } from '../measure/statistics.ts'
import type { Row } from './row.ts'

/** So many that the lists read most often are far apart. */
const READS = 100_000
const ASSERTED = 5_000

const OBJECTS = 100_000

/** `objects` with about eleven associations each. */
export const createTaoRow = (objects = OBJECTS): Row => ({
  name: 'workload-tao',
  options: objects === OBJECTS ? [] : ['--size', `${objects}`],
  title: `TAO's mix of reads of ${objects} objects; lists as long, and read as often, as LinkBench's`,
  async measure() {
    const associations = createAssociations(objects)
    const graph = await createAssociationGraph(associations)
    const maps = createAssociationMaps(associations)
    const endless = associationReads(associations)
    const reads = Array.from({ length: READS }, () => endless.next().value)
    await assertSameAnswers(
      reads.slice(0, ASSERTED),
      [graph.name, graph.answer],
      [maps.name, maps.answer],
      'bytes',
    )
    const measure = (what: string, asked: readonly AssociationRead[]): Promise<Finding[]> =>
      compare(inTurn(asked, `${what}, ${graph.name}`, graph.answer), [
        inTurn(asked, `${what}, ${maps.name}`, maps.answer),
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
