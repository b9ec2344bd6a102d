/** Content that is stored compressed, and sent compressed to clients that accept it. */
export class CompressedAsset {
  readonly #base64: string
  #bytes: Uint8Array<ArrayBuffer> | undefined

  /** @param base64 The content, compressed with gzip. */
  constructor(base64: string) {
    this.#base64 = base64
  }

  /** The content, compressed with gzip. */
  get compressed(): Uint8Array<ArrayBuffer> {
    this.#bytes ??= Uint8Array.from(atob(this.#base64), character => character.charCodeAt(0))
    return this.#bytes
  }

  /** The uncompressed content. */
  get plain(): ReadableStream {
    return new Blob([this.compressed]).stream().pipeThrough(new DecompressionStream('gzip'))
  }
}

/** Whether a client accepts gzip, by its header `Accept-Encoding`. */
export const acceptsGzip = (acceptEncoding: string | null): boolean => {
  const weights = new Map(
    (acceptEncoding ?? '').split(',').map(coding => {
      const [name = '', ...parameters] = coding.split(';').map(part => part.trim().toLowerCase())
      const weight = parameters.find(parameter => parameter.startsWith('q='))
      return [name, weight?.slice('q='.length) ?? '1'] as const
    }),
  )
  return Number(weights.get('gzip') ?? weights.get('*') ?? 0) > 0
}
