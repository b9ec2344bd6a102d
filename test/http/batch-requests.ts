import { createFormRequest, parseJson, type serveWorld } from './served-world.ts'

/** A request of a batch, as clients write it. */
export type BatchItem = { readonly [name: string]: unknown }

/** One response of a batch, with a parsed body and headers by lower-case name. */
export type BatchItemResponse = {
  readonly code: number
  readonly headers: { readonly [name: string]: string } | undefined
  readonly body: ReturnType<typeof JSON.parse>
} | null

type RawBatchItemResponse = { code: number; headers?: { name: string; value: string }[]; body: string } | null

/** Parses the responses of a batch, in the order of its requests. */
export const parseBatchResponse = (reply: { readonly text: string }): BatchItemResponse[] => {
  const items: RawBatchItemResponse[] = parseJson(reply)
  return items.map(
    item =>
      item && {
        code: item.code,
        headers:
          item.headers &&
          Object.fromEntries(item.headers.map(({ name, value }) => [name.toLowerCase(), value])),
        body: item.body === '' ? undefined : JSON.parse(item.body),
      },
  )
}

/** Creates a function that sends a batch as a form with Ada's token. */
export const createBatchSender =
  ({ sendAsAda }: Pick<Awaited<ReturnType<typeof serveWorld>>, 'sendAsAda'>) =>
  async (
    items: readonly unknown[],
    extra: { readonly [name: string]: string } = {},
  ): Promise<BatchItemResponse[]> =>
    parseBatchResponse(await sendAsAda('/', createFormRequest({ batch: JSON.stringify(items), ...extra })))
