import { createSocialData, type SocialData } from '../data/social-data.ts'
import type { Contender, DatedReader, SocialReader } from './contender.ts'
import { createFastestReader } from './fastest-code.ts'
import { createGraphReader } from './graph.ts'
import { createGraphqlJitReader, createGraphqlReader } from './graphql-readers.ts'
import { createUsualReader } from './usual-code.ts'

/** All who answer the social reads, over the same data, each with a copy of its own. */
export type SocialReaders = {
  readonly viewers: readonly string[]
  readonly graph: DatedReader
  readonly usual: DatedReader
  readonly fastest: DatedReader
  readonly graphql: SocialReader
  readonly graphqlJit: SocialReader
}

export const createSocialReaders = async (): Promise<SocialReaders> => {
  const data: SocialData = createSocialData()
  return {
    viewers: data.viewers,
    graph: await createGraphReader(data),
    usual: createUsualReader(data),
    fastest: createFastestReader(data),
    graphql: createGraphqlReader(data),
    graphqlJit: createGraphqlJitReader(data),
  }
}

/** A contender that answers for the viewers in turn. */
export const inTurn = (
  viewers: readonly string[],
  name: string,
  answer: (viewer: string) => unknown,
): Contender => ({ name, call: turn => answer(viewers[turn % viewers.length] ?? '') })
