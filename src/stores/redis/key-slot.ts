const SLOTS = 16_384
const utf8 = new TextEncoder()

/** CRC-16/XMODEM, by which a cluster spreads its keys: of what came before, one byte more. */
const addByte = (before: number, byte: number): number => {
  let crc = (((before >> 8) | (before << 8)) & 0xffff) ^ byte
  crc ^= (crc & 0xff) >> 4
  crc ^= (crc << 12) & 0xffff
  return crc ^ ((crc & 0xff) << 5)
}

/** What of a key decides its slot: the text in its first braces, or all of it where they are empty or missing. */
const hashTag = (key: string): string => {
  const open = key.indexOf('{')
  const close = key.indexOf('}', open + 1)
  return open === -1 || close <= open + 1 ? key : key.slice(open + 1, close)
}

const MOST_ASCII = 0x7f

/** The slot of a cluster that a key belongs to. */
export const slotOf = (key: string): number => {
  const text = hashTag(key)
  let crc = 0
  for (let index = 0; index < text.length; index++) {
    const byte = text.charCodeAt(index)
    // Ids are ASCII, and need no bytes made of them.
    if (byte > MOST_ASCII) return utf8.encode(text).reduce(addByte, 0) % SLOTS
    crc = addByte(crc, byte)
  }
  return crc % SLOTS
}
