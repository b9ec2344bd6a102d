/** Content that is kept compressed, and sent so to those who take it. */
export class Packed {
  readonly #base64: string
  #bytes: Uint8Array<ArrayBuffer> | undefined

  /** @param base64 of what gzip makes of the content. */
  constructor(base64: string) {
    this.#base64 = base64
  }

  /** As gzip leaves it. */
  get compressed(): Uint8Array<ArrayBuffer> {
    this.#bytes ??= Uint8Array.from(atob(this.#base64), character => character.charCodeAt(0))
    return this.#bytes
  }

  /** The content itself. */
  get plain(): ReadableStream {
    return new Blob([this.compressed]).stream().pipeThrough(new DecompressionStream('gzip'))
  }
}

/** Whether a client takes what is compressed by gzip, by its `Accept-Encoding`. */
export const takesGzip = (accepted: string | null): boolean => {
  const weights = new Map(
    (accepted ?? '').split(',').map(one => {
      const [name = '', ...parameters] = one.split(';').map(part => part.trim().toLowerCase())
      const weight = parameters.find(parameter => parameter.startsWith('q='))
      return [name, weight?.slice('q='.length) ?? '1'] as const
    }),
  )
  return Number(weights.get('gzip') ?? weights.get('*') ?? 0) > 0
}
