const isEnvelope = (value: unknown): value is { readonly data: readonly unknown[] } =>
  typeof value === 'object' && value !== null && 'data' in value && Array.isArray(value.data)

/** The text of an answer with bare lists where it has pages. */
const withoutPaging = (answer: unknown): string =>
  JSON.stringify(answer, (_, value: unknown) => (isEnvelope(value) ? value.data : value))

type Answerer<TAsked> = readonly [name: string, answer: (asked: TAsked) => unknown]

/**
 * Holds what another answers to what ours does, for each viewer or question: the same bytes, or the same data under another paging.
 *
 * @throws Error for the first that differs.
 */
export const assertSameAnswers = async <TAsked = string>(
  questions: readonly TAsked[],
  [ourName, ours]: Answerer<TAsked>,
  [name, other]: Answerer<TAsked>,
  how: 'bytes' | 'data',
): Promise<void> => {
  const textOf = how === 'bytes' ? (answer: unknown) => JSON.stringify(answer) : withoutPaging
  for (const asked of questions) {
    const expected = textOf(await ours(asked))
    const came = textOf(await other(asked))
    if (came !== expected) {
      throw new Error(`${name} answers other ${how} than ${ourName}:\n${came}\n${expected}`)
    }
  }
}
