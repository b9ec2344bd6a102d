import { useMutation, useQueryClient } from '@tanstack/react-query'
import { tokenOf, type Viewer } from './viewers.ts'

type Write = { readonly method: 'PUT' | 'PATCH'; readonly path: string; readonly body: object }

const send = async (viewer: Viewer, { method, path, body }: Write): Promise<void> => {
  const headers = { authorization: `Bearer ${tokenOf(viewer)}` }
  const response = await fetch(path, { method, headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${method} ${path} failed with ${response.status}`)
}

/** Returns a function that sends a write, and then reads the feed again. */
export const useWrite = (viewer: Viewer) => {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (write: Write) => send(viewer, write),
    onSettled: () => queries.invalidateQueries({ queryKey: ['graph'] }),
  })
}
