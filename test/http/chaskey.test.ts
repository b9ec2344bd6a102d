import { describe, expect, it } from 'vitest'
import { Chaskey, createHashState } from '../../src/http/chaskey.ts'

/** The published key and tags of Chaskey-12. Tag n belongs to the n bytes 0, 1, 2 and so on. */
const KEY = '833d3433 009f389f 2398e64f 417acf39'
const TAGS = `
43cb1f41 51eba0c2 ff0a8ac3 7ee3f642  f9ac2067 9c35a846 441aad3d 777b7330  57da70c5 2a873cb0 19ee8b2a 165cd82e
8c5e6ab9 5035adfb bff69f98 965516d9  0b2b62db 1e9e3f50 a1b8dcad b4279ae0  39fa92b9 1b655e4f 5e4a4667 0fe13365
7c814dec 149f38a0 270046b9 fb954c27  b7d29cb8 40a2819d ae403cdb 6fbefa95  9faf57d6 f4bc02cf 6af6d831 d2930d90
8417124d 552889a7 35d716f0 e04632a6  dea5ba76 741d87ed 72cfef1a 91749fc9  6a888831 8679ed53 8a192e58 58b23bd1
c040258c f25392c0 9f6b5dc0 35c3d638  7feba9c3 585da8e9 7680be51 9fb8fc6e  c133c9c0 55df75b5 0f18f729 99b9837e
03cfb44b 283c8163 fca71448 c40a0aea  5dd0e2a9 fb5eac8c 633a392e 500c36f3  8b5f6d5a 202314f6 22092368 9639e606
0430889e b994dc9c a39d8d46 f0b15fda  426ca8dd 9da954c9 613290fc 9aebe7e9  ece3bdb9 17e5a589 64aa2eef 9a75eced
efddd3d7 be458309 d430468e 44c17d41  440809ba 87c9512b e495c3b6 3601d81d  0b1db893 05300791 5e789c3b 4bbe102a
9f01c148 ae4fc446 6563e38e d5483b99  9ac00551 80c778da d894ce35 56598bcb  3abb0b87 3e0fbb0e 7635d502 c913c4ec
c5cfbfff 6c52ae42 025d402a c154fce1  76d1eb98 8c72085a 77155006 bf389002  7cb65a88 5e7c9b65 d5c24284 bd64defe
c082b077 8e22ea68 bfd34969 0418d7da  1d3d30b1 01d74fca 3b2eb54c d8cd36b4  77962784 07c647fa dd752c0f d2f5a799
d74bb867 2c0dfb3a b697e9cd 5658edda  4cddf615 ef51f2f3 b254b4ae fdab76d9  7567e1ca f2379487 75082e35 463f164d
a98ecb80 5ef583cf 4e20e76e 7873b8f1  1446e9aa 1be1ec9b 1d475de5 a82c5d00  11d3a094 c43d33fa d33d6c42 d6604682
3b09c785 867bea15 1e05031d bc4c8072  155ab3ab 73d51ed7 ac6f3601 ef6aa85c  28e86031 dceb8b32 63b1d172 a4b65ac7
f02660f5 6eb38ff8 6af8730c 0694b77c  3a3806a1 54161686 437b82f2 541cdc9d  4bdfff32 b258591a 26ad161b e3445e89
eedebc62 e9f9de19 252e8047 553411a2  a7aebc31 c10ad12e 85b25fa0 6dd54e7f  8494b5bc 5317b7b3 cfe08756 97a2d14e
f36e748b 8f34677f 1e00ba1b dd7da46d  f9f4055f af76ac88 45da034c f1c04c8a  6f486cfd 72653e7d e597059c 03a1580d
54080fc5 c9e98b24 3c9ede0f 79cab6ba  4ec246aa 01edaab3 bfe09c48 7c5c4c45  ffd828f3 e8875c0c 18ce432d c42da43a
9c45cff1 1a38a387 a7fbcb03 41649ef5  31c29f70 d6e4dd76 03562d6f 902e3df6  9ab66191 7daf7dff 868090ae 35b7d6c6
4d569cca 7f53fed2 16525a72 fab67a70  08ec0d1e c96855b8 ee9e3842 dd3c6cd6  e70dffb1 74fad311 ef723024 b6c2b5c6
a8f07a68 366fc33b af00eefb 1a48a9df  079e0279 f6c252f7 e99e3e03 88ba1a2a  0f40ed0f a69bc80f 8e06f97c 61e89697
2dd072e1 42b89efe fb26b615 049aa451`

const toWords = (text: string): number[] =>
  text
    .trim()
    .split(/\s+/)
    .map(word => Number.parseInt(word, 16))
const toBytes = (words: readonly number[]): Uint8Array => {
  const view = new DataView(new ArrayBuffer(4 * words.length))
  for (const [index, word] of words.entries()) view.setUint32(4 * index, word, true)
  return new Uint8Array(view.buffer)
}

const hash = new Chaskey(toBytes(toWords(KEY)))
const memory = (): { words: Int32Array; bytes: Uint8Array } => {
  // Bytes of an earlier text in the buffer must have no effect.
  const words = new Int32Array(32).fill(-1)
  return { words, bytes: new Uint8Array(words.buffer) }
}
const toTag = (hashing: Int32Array): number[] => [...hashing].map(word => word >>> 0)

describe('the hash function Chaskey-12', () => {
  const published = toWords(TAGS)

  it('computes the published tag of each text of up to 63 bytes', () => {
    expect(published).toHaveLength(64 * 4)
    for (let length = 0; length < 64; length++) {
      const { words, bytes } = memory()
      for (let index = 0; index < length; index++) bytes[index] = index
      const hashing = createHashState()
      hash.begin(hashing)
      hash.finish(hashing, words, bytes, length)
      expect(toTag(hashing), `${length} bytes`).toEqual(published.slice(4 * length, 4 * length + 4))
    }
  })

  it('computes the same tag if a text is hashed piece by piece', () => {
    for (let cut = 0; cut < 64; cut++) {
      const { words, bytes } = memory()
      for (let index = 0; index < cut; index++) bytes[index] = index
      const hashing = createHashState()
      hash.begin(hashing)
      const hashed = hash.update(hashing, words, cut)
      for (let index = hashed; index < 63; index++) bytes[index - hashed] = index
      hash.finish(hashing, words, bytes, 63 - hashed)
      expect(toTag(hashing), `cut at ${cut}`).toEqual(published.slice(4 * 63))
    }
  })
})
