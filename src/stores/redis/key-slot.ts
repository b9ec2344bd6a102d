const SLOTS = 16_384
const utf8 = new TextEncoder()

/** CRC-16/XMODEM, by which a cluster spreads its keys. */
const crc16 = (bytes: Uint8Array): number => {
  let crc = 0
  for (const byte of bytes) {
    crc = (((crc >> 8) | (crc << 8)) & 0xffff) ^ byte
    crc ^= (crc & 0xff) >> 4
    crc ^= (crc << 12) & 0xffff
    crc ^= (crc & 0xff) << 5
  }
  return crc
}

/** What of a key decides its slot: the text in its first braces, or all of it where they are empty or missing. */
const hashTag = (key: string): string => {
  const open = key.indexOf('{')
  const close = key.indexOf('}', open + 1)
  return open === -1 || close <= open + 1 ? key : key.slice(open + 1, close)
}

/** The slot of a cluster that a key belongs to. */
export const slotOf = (key: string): number => crc16(utf8.encode(hashTag(key))) % SLOTS
