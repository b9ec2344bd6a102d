const isEnvelope = (value: unknown): value is { readonly data: readonly unknown[] } =>
  typeof value === 'object' && value !== null && 'data' in value && Array.isArray(value.data)

/** Returns the JSON text of a result, with plain lists instead of pages. */
const withoutPaging = (result: unknown): string =>
  JSON.stringify(result, (_, value: unknown) => (isEnvelope(value) ? value.data : value))

type NamedReader<TInput> = readonly [name: string, answer: (input: TInput) => unknown]

/**
 * Compares the result of a contender with our result, for each viewer or input. With `'bytes'`, the JSON
 * texts must be identical. With `'data'`, they are compared without paging.
 *
 * @throws Error at the first result that differs.
 */
export const assertSameResults = async <TInput = string>(
  inputs: readonly TInput[],
  [ourName, ours]: NamedReader<TInput>,
  [name, other]: NamedReader<TInput>,
  how: 'bytes' | 'data',
): Promise<void> => {
  const textOf = how === 'bytes' ? (result: unknown) => JSON.stringify(result) : withoutPaging
  for (const input of inputs) {
    const expected = textOf(await ours(input))
    const received = textOf(await other(input))
    if (received !== expected) {
      throw new Error(`${name} returns other ${how} than ${ourName}:\n${received}\n${expected}`)
    }
  }
}
