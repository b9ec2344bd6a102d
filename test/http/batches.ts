import { form, jsonOf, type serveWorld } from './served-world.ts'

/** A request of a batch, as clients write it. */
export type Item = { readonly [name: string]: unknown }

/** An answer of a batch, its body read and its headers under their names. */
export type ItemReply = {
  readonly code: number
  readonly headers: { readonly [name: string]: string } | undefined
  readonly body: ReturnType<typeof JSON.parse>
} | null

type Printed = { code: number; headers?: { name: string; value: string }[]; body: string } | null

/** What a batch answered, in its order. */
export const itemsOf = (reply: { readonly text: string }): ItemReply[] => {
  const items: Printed[] = jsonOf(reply)
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

/** Asks a batch by a form, with Ada's token. */
export const batchAsker =
  ({ ask }: Pick<Awaited<ReturnType<typeof serveWorld>>, 'ask'>) =>
  async (items: readonly unknown[], more: { readonly [name: string]: string } = {}): Promise<ItemReply[]> =>
    itemsOf(await ask('/', form({ batch: JSON.stringify(items), ...more })))
