import type { GraphOptions } from 'kithgraph'
import { createSocialData, type SocialData } from '../data/social-data.ts'
import type { Contender, DatedReader, SocialReader } from './contender.ts'
import { createFastestReader } from './fastest-code.ts'
import { createGraphReader, createSocialStore, type GraphReader } from './graph.ts'
import { createGraphqlJitReader, createGraphqlReader } from './graphql-readers.ts'
import { createUsualReader } from './usual-code.ts'

/** All readers of the social data. Each has its own copy of the same data. */
export type SocialReaders = {
  readonly viewers: readonly string[]
  readonly graph: GraphReader
  readonly usual: DatedReader
  readonly fastest: DatedReader
  readonly graphql: SocialReader
  readonly graphqlJit: SocialReader
  /** Creates another graph, with different options, over the store of the first graph. */
  graphWith(name: string, options: GraphOptions): Promise<DatedReader>
}

export const createSocialReaders = async (): Promise<SocialReaders> => {
  const data: SocialData = createSocialData()
  const { viewers } = data
  const store = await createSocialStore(data)
  return {
    viewers,
    graph: await createGraphReader('kithgraph', store, viewers),
    usual: createUsualReader(data),
    fastest: createFastestReader(data),
    graphql: createGraphqlReader(data),
    graphqlJit: createGraphqlJitReader(data),
    graphWith: (name, options) => createGraphReader(name, store, viewers, options),
  }
}

/** Creates a contender that reads for each input in turn, such as for each viewer. */
export const readInTurn = <TInput = string>(
  inputs: readonly TInput[],
  name: string,
  read: (input: TInput) => unknown,
): Contender => ({
  name,
  call(turn) {
    const input = inputs[turn % inputs.length]
    return input === undefined ? undefined : read(input)
  },
})
