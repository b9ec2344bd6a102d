import type { EdgeTest, Wave, WaveAnswer } from '../../store/contract.ts'
import { findEdge, findList, type GraphTables } from './graph-tables.ts'
import { RangeReader } from './range-reader.ts'

const NONE: readonly never[] = Object.freeze([])

const answerAll = <TAsked, TAnswer>(
  asked: readonly TAsked[],
  answer: (asked: TAsked) => TAnswer,
): readonly TAnswer[] => (asked.length === 0 ? NONE : asked.map(answer))

/** Answers waves from the tables of a store or of a snapshot. */
export class WaveReader {
  readonly #tables: GraphTables
  readonly #ranges: RangeReader

  constructor(tables: GraphTables) {
    this.#tables = tables
    this.#ranges = new RangeReader(tables)
  }

  read({ nodes, ranges, tests, tokens }: Wave): WaveAnswer {
    return {
      nodes: answerAll(nodes, id => this.#tables.nodes.get(id)),
      ranges: answerAll(ranges, range => this.#ranges.read(range)),
      tests: answerAll(tests, test => this.#hasEdge(test)),
      tokens: answerAll(tokens, digest => this.#tables.tokens.get(digest)),
    }
  }

  #hasEdge({ source, name, target }: EdgeTest): boolean {
    const { nodes } = this.#tables
    const list = findList(this.#tables, nodes.find(source), name)
    return list !== 0 && findEdge(this.#tables, list, nodes.find(target)) !== 0
  }
}
