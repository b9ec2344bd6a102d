/** The number of hash slots of a cluster. */
export const SLOT_COUNT = 16_384
const utf8Encoder = new TextEncoder()

/** Updates a CRC-16/XMODEM with one byte. A cluster distributes keys by this checksum. */
const updateCrc = (previousCrc: number, byte: number): number => {
  let crc = (((previousCrc >> 8) | (previousCrc << 8)) & 0xffff) ^ byte
  crc ^= (crc & 0xff) >> 4
  crc ^= (crc << 12) & 0xffff
  return crc ^ ((crc & 0xff) << 5)
}

/**
 * Returns the part of a key that determines its slot: the text in the first braces, or the whole key if the
 * braces are empty or missing.
 */
const findHashTag = (key: string): string => {
  const openIndex = key.indexOf('{')
  const closeIndex = key.indexOf('}', openIndex + 1)
  return openIndex === -1 || closeIndex <= openIndex + 1 ? key : key.slice(openIndex + 1, closeIndex)
}

const MAX_ASCII = 0x7f

/** Computes the cluster slot of a key. */
export const computeSlot = (key: string): number => {
  const text = findHashTag(key)
  let crc = 0
  for (let index = 0; index < text.length; index++) {
    const byte = text.charCodeAt(index)
    // Ids are ASCII and need no encoding.
    if (byte > MAX_ASCII) return utf8Encoder.encode(text).reduce(updateCrc, 0) % SLOT_COUNT
    crc = updateCrc(crc, byte)
  }
  return crc % SLOT_COUNT
}
