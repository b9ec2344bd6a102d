const isEnvelope = (value: unknown): value is { readonly data: readonly unknown[] } =>
  typeof value === 'object' && value !== null && 'data' in value && Array.isArray(value.data)

/** The text of an answer with bare lists where it has pages. */
const withoutPaging = (answer: unknown): string =>
  JSON.stringify(answer, (_, value: unknown) => (isEnvelope(value) ? value.data : value))

type Answerer = readonly [name: string, answer: (viewer: string) => unknown]

/**
 * Holds what another answers to what ours does, for each viewer: the same bytes, or the same data under another paging.
 *
 * @throws Error for the first that differs.
 */
export const assertSameAnswers = async (
  viewers: readonly string[],
  [ourName, ours]: Answerer,
  [name, other]: Answerer,
  how: 'bytes' | 'data',
): Promise<void> => {
  const textOf = how === 'bytes' ? (answer: unknown) => JSON.stringify(answer) : withoutPaging
  for (const viewer of viewers) {
    const expected = textOf(await ours(viewer))
    const came = textOf(await other(viewer))
    if (came !== expected) {
      throw new Error(`${name} answers other ${how} than ${ourName}:\n${came}\n${expected}`)
    }
  }
}
