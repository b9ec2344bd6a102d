import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { isGraphError } from 'kithgraph'
import { meQuery, photosQuery } from './queries.ts'

const ErrorMessage = ({ error }: { error: Error }) => {
  if (!isGraphError(error)) return <p role="alert">Something went wrong.</p>
  const hasExpired = error.reason === 'token_expired'
  return <p role="alert">{hasExpired ? 'Please sign in again.' : `Try again later (${error.traceId}).`}</p>
}

const Photos = ({ token }: { token: string }) => {
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery(photosQuery(token))
  const photos = data?.pages.flatMap(page => page.data) ?? []
  return (
    <>
      <ul>
        {photos.map(({ id, title }) => (
          <li key={id}>{title}</li>
        ))}
      </ul>
      {error && <ErrorMessage error={error} />}
      {hasNextPage && (
        <button type="button" disabled={isFetchingNextPage} onClick={() => fetchNextPage()}>
          More
        </button>
      )}
    </>
  )
}

export const App = ({ token }: { token: string }) => {
  const { data, error } = useQuery(meQuery(token))
  if (error) return <ErrorMessage error={error} />
  if (data === undefined) return <p>Loading…</p>
  return (
    <main>
      <h1>Photos of {data.name}</h1>
      <Photos token={token} />
    </main>
  )
}
