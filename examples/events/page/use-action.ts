import { useMutation, useQueryClient } from '@tanstack/react-query'

/** The part of a call that changes with each click. A repeated call keeps its key, and so writes once. */
type Input<TParameters> = { readonly parameters: TParameters; readonly idempotencyKey: string }

/**
 * Calls an action, and then reads the feed again. `isPending` is true until the new feed is there, so the page can show
 * the `variables` in the meantime.
 */
export const useAction = <TParameters>(call: (input: Input<TParameters>) => Promise<unknown>) => {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: call,
    onSettled: () => queries.invalidateQueries({ queryKey: ['graph'] }),
  })
}
