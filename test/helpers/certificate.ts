import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

// The ASN.1 tags that a certificate needs (RFC 5280), in the encoding of X.690.
const INTEGER = 0x02
const BIT_STRING = 0x03
const OCTET_STRING = 0x04
const IDENTIFIER = 0x06
const TEXT = 0x0c
const TIME = 0x17
const SEQUENCE = 0x30
const SET = 0x31
const DNS_NAME = 0x82

const ECDSA_WITH_SHA256 = '2a8648ce3d040302'
const COMMON_NAME = '550403'
const ALTERNATIVE_NAMES = '551d11'

const LONG = 0x80

const encodeLength = (length: number): Buffer =>
  length < LONG ? Buffer.of(length) : Buffer.of(LONG + 2, length >> 8, length & 0xff)

const element = (tag: number, ...parts: readonly Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts)
  return Buffer.concat([Buffer.of(tag), encodeLength(content.length), content])
}

const identifier = (hex: string): Buffer => element(IDENTIFIER, Buffer.from(hex, 'hex'))
const explicit = (index: number, ...parts: readonly Uint8Array[]): Buffer => element(0xa0 + index, ...parts)
const bits = (content: Uint8Array): Buffer => element(BIT_STRING, Buffer.of(0), content)
const ascii = (tag: number, text: string): Buffer => element(tag, Buffer.from(text))

const algorithm = element(SEQUENCE, identifier(ECDSA_WITH_SHA256))

const createContent = (host: string, publicKey: KeyObject): Buffer => {
  const name = element(SEQUENCE, element(SET, element(SEQUENCE, identifier(COMMON_NAME), ascii(TEXT, host))))
  const validity = element(SEQUENCE, ascii(TIME, '200101000000Z'), ascii(TIME, '491231235959Z'))
  const names = element(OCTET_STRING, element(SEQUENCE, ascii(DNS_NAME, host)))
  return element(
    SEQUENCE,
    explicit(0, element(INTEGER, Buffer.of(2))),
    element(INTEGER, Buffer.of(1)),
    algorithm,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    explicit(3, element(SEQUENCE, element(SEQUENCE, identifier(ALTERNATIVE_NAMES), names))),
  )
}

/** Creates a self-signed certificate for a host, and its private key, for a server of `node:https`. */
export const createSelfSignedCertificate = (
  host: string,
): { readonly cert: string; readonly key: string } => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const content = createContent(host, publicKey)
  const certificate = element(SEQUENCE, content, algorithm, bits(sign('sha256', content, privateKey)))
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}
