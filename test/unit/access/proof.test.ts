import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assertProof, computeProof } from '../../../src/access/proof.ts'
import { timingSafeEqual } from '../../../src/access/secret.ts'
import { expectGraphError } from '../abuse/expect-graph-error.ts'

const SECRETS = { demo: 'foo_secret' }
const TOKEN = 'bar_token'
const PROOF = '2ceec40b7b9fd7d38fff1767b766bcc6b1f9feb378febac4612c156e6a8354bd'

const verifyProof = async (proof: string | undefined, required: boolean, app = 'demo'): Promise<void> =>
  assertProof(TOKEN, app, proof, SECRETS, required)

describe('a proof of possession', () => {
  it('equals the proof that clients of the protocol compute', () => {
    expect(computeProof(TOKEN, SECRETS.demo)).toBe(PROOF)
  })

  it('is the HMAC-SHA256 of the token in UTF-8, in lower-case hex', () => {
    const text = fc.string({ unit: 'grapheme' })
    fc.assert(
      fc.property(text, text, (token, secret) => {
        expect(computeProof(token, secret)).toBe(createHmac('sha256', secret).update(token).digest('hex'))
      }),
    )
  })

  it('may be missing unless it is required', async () => {
    await verifyProof(undefined, false)
    const error = await expectGraphError(verifyProof(undefined, true))
    expect(error.toJSON().error.error_data).toEqual({ reason: 'proof_invalid', parameter: 'proof' })
    expect(error.message).toBe('A proof of possession is required')
  })

  it.each([true, false])('is accepted if it is correct (required: %s)', async required => {
    await expect(verifyProof(PROOF, required)).resolves.toBeUndefined()
  })

  it.each(['', 'x', PROOF.toUpperCase(), PROOF.slice(1), `${PROOF} `, 'é'.repeat(64)])(
    'is rejected if it is wrong: %o',
    async proof => {
      const error = await expectGraphError(verifyProof(proof, false))
      expect(error.message).toBe('The proof of possession is not valid')
      expect(error).toMatchObject({ code: 100, status: 400, type: 'GraphMethodException' })
    },
  )

  it.each(['other', 'constructor', '__proto__', ''])(
    'is rejected for an app without a secret: %o',
    async app => {
      expect((await expectGraphError(verifyProof(PROOF, false, app))).reason).toBe('proof_invalid')
    },
  )
})

describe('timingSafeEqual', () => {
  it('returns the same result as ===', () => {
    const word = fc.string({ maxLength: 3 })
    fc.assert(
      fc.property(word, word, (a, b) => {
        expect(timingSafeEqual(a, b)).toBe(a === b)
        expect(timingSafeEqual(a, `${a}`)).toBe(true)
      }),
      {
        examples: [
          ['', ''],
          ['a', 'b'],
          ['ab', 'ba'],
        ],
      },
    )
  })
})
