import { useMutation, useQueryClient } from '@tanstack/react-query'

/**
 * Returns a function that calls an action, and then reads the feed again. The client may repeat the call with its key.
 * `isPending` is true until the feed is there, so `variables` can be shown in the meantime.
 */
export const useAction = <TInput>(call: (input: TInput, idempotencyKey: string) => Promise<unknown>) => {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (input: TInput) => call(input, crypto.randomUUID()),
    onSettled: () => queries.invalidateQueries({ queryKey: ['graph'] }),
  })
}
