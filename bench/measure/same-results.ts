const isEnvelope = (value: unknown): value is { readonly data: readonly unknown[] } =>
  typeof value === 'object' && value !== null && 'data' in value && Array.isArray(value.data)

/** Returns the text of a result with plain lists in place of pages. */
const withoutPaging = (result: unknown): string =>
  JSON.stringify(result, (_, value: unknown) => (isEnvelope(value) ? value.data : value))

type NamedReader<TInput> = readonly [name: string, answer: (input: TInput) => unknown]

/**
 * Compares the result of a contender with ours, for each viewer or input: the same bytes, or the same data
 * with other paging.
 *
 * @throws Error for the first result that differs.
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
