import type { GraphOptions } from 'kithgraph'
import { createSocialData, type SocialData } from '../data/social-data.ts'
import type { Contender, DatedReader, SocialReader } from './contender.ts'
import { createFastestReader } from './fastest-code.ts'
import { createGraphReader, createSocialStore, type GraphReader } from './graph.ts'
import { createGraphqlJitReader, createGraphqlReader } from './graphql-readers.ts'
import { createUsualReader } from './usual-code.ts'

/** All who answer the social reads, over the same data, each with a copy of its own. */
export type SocialReaders = {
  readonly viewers: readonly string[]
  readonly graph: GraphReader
  readonly usual: DatedReader
  readonly fastest: DatedReader
  readonly graphql: SocialReader
  readonly graphqlJit: SocialReader
  /** Another graph with options of its own, over the store of the first. */
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

/** A contender that answers the viewers, or the questions, in turn. */
export const inTurn = <TAsked = string>(
  questions: readonly TAsked[],
  name: string,
  answer: (asked: TAsked) => unknown,
): Contender => ({
  name,
  call(turn) {
    const asked = questions[turn % questions.length]
    return asked === undefined ? undefined : answer(asked)
  },
})
