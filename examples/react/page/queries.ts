import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { client } from './client.ts'

export const meQuery = (token: string) =>
  queryOptions({
    queryKey: ['graph', 'me'],
    queryFn: ({ signal }) => client.getMe(token, { fields: 'name', signal }),
  })

export const photosQuery = (token: string) =>
  infiniteQueryOptions({
    queryKey: ['graph', 'me', 'photos'],
    queryFn: ({ pageParam, signal }) =>
      client.getEdge(token, {
        id: 'me',
        edge: 'photos',
        fields: 'title',
        limit: 5,
        after: pageParam,
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ paging }) => (paging?.next === undefined ? undefined : paging.cursors.after),
  })
