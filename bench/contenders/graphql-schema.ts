import DataLoader from 'dataloader'
import {
  GraphQLID,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLSchema,
  GraphQLString,
} from 'graphql'
import type { Comment, Person, Photo } from '../data/social-data.ts'
import type { Maps } from './maps.ts'

/** The context of one GraphQL request: the viewer, and new data loaders. */
export type Request = {
  readonly viewer: string
  readonly people: DataLoader<string, Person | undefined>
  readonly photosOf: DataLoader<string, readonly Photo[]>
  readonly commentsOf: DataLoader<string, readonly Comment[]>
}

export const createRequest = ({ people, photosOf, commentsOf }: Maps, viewer: string): Request => ({
  viewer,
  people: new DataLoader(async ids => ids.map(id => people.get(id))),
  photosOf: new DataLoader(async ids => ids.map(id => photosOf.get(id) ?? [])),
  commentsOf: new DataLoader(async ids => ids.map(id => commentsOf.get(id) ?? [])),
})

type Limited = { readonly limit?: number | null }

const first = <TItem>(items: readonly TItem[], { limit }: Limited): readonly TItem[] =>
  items.slice(0, limit ?? 25)

const id = { type: new GraphQLNonNull(GraphQLID) }
const name = { type: new GraphQLNonNull(GraphQLString) }
const args = { limit: { type: GraphQLInt } }
const listOf = (type: GraphQLObjectType) => new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(type)))

const person: GraphQLObjectType<Person, Request> = new GraphQLObjectType({
  name: 'Person',
  fields: () => ({
    id,
    name,
    photos: {
      type: listOf(photo),
      args,
      resolve: async (source, limited: Limited, { photosOf }) =>
        first(await photosOf.load(source.id), limited),
    },
  }),
})

const comment: GraphQLObjectType<Comment, Request> = new GraphQLObjectType({
  name: 'Comment',
  fields: {
    id,
    message: name,
    from: { type: person, resolve: ({ from }, _, { people }) => people.load(from) },
  },
})

const photo: GraphQLObjectType<Photo, Request> = new GraphQLObjectType({
  name: 'Photo',
  fields: {
    id,
    name,
    comments: {
      type: listOf(comment),
      args,
      resolve: async (source, limited: Limited, { commentsOf }) =>
        first(await commentsOf.load(source.id), limited),
    },
  },
})

/** The part of the social schema that the queries need, as a GraphQL schema over Maps. */
export const GRAPHQL_SCHEMA = new GraphQLSchema({
  query: new GraphQLObjectType<unknown, Request>({
    name: 'Query',
    fields: { me: { type: person, resolve: (_, __, { people, viewer }) => people.load(viewer) } },
  }),
})
