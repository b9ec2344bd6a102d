import type { PhotoGraph } from './graph.ts'
import { AUDIENCES } from './schema.ts'

/** The fields of the form; whoever sent it may have sent anything. */
export type Upload = { readonly name?: unknown; readonly link?: unknown; readonly audience?: unknown }

/** A raw id that nobody has: 62 random bits. */
const newId = (): string => {
  const [bits = 0n] = crypto.getRandomValues(new BigUint64Array(1))
  return String((bits >> 2n) + 1n)
}

/**
 * Keeps what is known of a photo of the viewer's; its picture lies where `link` says.
 *
 * @throws GraphError for a bad token, and for a `link` that leads nowhere on the web. An audience that is none means the viewer alone.
 */
export const addPhoto = async (graph: PhotoGraph, token: string, upload: Upload): Promise<void> => {
  const { id: from } = await graph.getMe(token, { fields: 'id' })
  const id = newId()
  const time = Date.now()
  const audience = AUDIENCES.find(word => word === upload.audience) ?? 'me'
  await graph.write([
    {
      op: 'putNode',
      node: {
        id,
        type: 'photo',
        fields: { name: String(upload.name), link: String(upload.link), audience, from, created_time: time },
      },
    },
    { op: 'putEdge', edge: { source: from, name: 'photos', target: id, time } },
  ])
}
