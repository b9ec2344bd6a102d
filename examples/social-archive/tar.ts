/** A part of a file in an archive. The parts of a file follow each other. */
export type TarPiece = { readonly name: string; readonly bytes: Uint8Array }

type TarHeader = { readonly name: string; readonly size: number; readonly isFile: boolean }

const BLOCK = 512
const CHECKSUM = { start: 148, end: 156 }
const SPACE = 32
const latin = new TextDecoder('latin1')

const textAt = (header: Uint8Array, start: number, length: number): string =>
  latin
    .decode(header.subarray(start, start + length))
    .split('\0', 1)
    .join('')

const numberAt = (header: Uint8Array, start: number, length: number): number =>
  Number.parseInt(textAt(header, start, length), 8)

const computeChecksum = (header: Uint8Array): number =>
  header.reduce((sum, byte, at) => sum + (at >= CHECKSUM.start && at < CHECKSUM.end ? SPACE : byte), 0)

/** Parses a header. Returns `undefined` for the zero blocks at the end of an archive. */
const parseHeader = (header: Uint8Array): TarHeader | undefined => {
  if (header.every(byte => byte === 0)) return undefined
  if (numberAt(header, CHECKSUM.start, 8) !== computeChecksum(header))
    throw new Error('This is not a tar archive')
  const type = textAt(header, 156, 1)
  return {
    name: textAt(header, 0, 100),
    size: numberAt(header, 124, 12),
    isFile: type === '' || type === '0',
  }
}

/**
 * Reads the files of a tar archive as a stream: a header of 512 bytes, then the file, padded to whole blocks.
 * Buffers only an incomplete header.
 *
 * @throws Error if the data is not a tar archive, or if the archive ends inside a file.
 */
export async function* readTar(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<TarPiece> {
  let header = new Uint8Array()
  let file: TarHeader | undefined
  let left = 0
  let padding = 0
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; ) {
      if (left > 0) {
        const bytes = chunk.subarray(at, at + left)
        left -= bytes.length
        at += bytes.length
        if (file?.isFile) yield { name: file.name, bytes }
      } else if (padding > 0) {
        const skipped = Math.min(padding, chunk.length - at)
        padding -= skipped
        at += skipped
      } else {
        const part = chunk.subarray(at, at + BLOCK - header.length)
        header = Uint8Array.from([...header, ...part])
        at += part.length
        if (header.length < BLOCK) continue
        file = parseHeader(header)
        left = file?.size ?? 0
        padding = (BLOCK - (left % BLOCK)) % BLOCK
        header = new Uint8Array()
      }
    }
  }
  if (left > 0) throw new Error(`The archive ends inside ${file?.name}`)
}
