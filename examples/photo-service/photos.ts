import type { PhotoGraph } from './graph.ts'
import { AUDIENCES } from './schema.ts'

/** The fields of the form. They are unvalidated. */
export type Upload = { readonly name?: unknown; readonly link?: unknown; readonly audience?: unknown }

/** Creates a new raw id of 62 random bits. */
const newId = (): string => {
  const [bits = 0n] = crypto.getRandomValues(new BigUint64Array(1))
  return String((bits >> 2n) + 1n)
}

/**
 * Stores a photo of the viewer. The URL of the picture is `link`.
 *
 * @throws GraphError if the token is invalid, or if `link` is not an http(s) URL. An unknown audience becomes
 * `me`.
 */
export const addPhoto = async (graph: PhotoGraph, token: string, upload: Upload): Promise<void> => {
  const me = await graph.getMe(token, { fields: 'id' })
  // Without `appIds`, the id in a result is also the stored id.
  const from = String(me.id)
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
