import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { equalInConstantTime } from '../../../src/access/equal.ts'
import { assertProof, proofOf } from '../../../src/access/proof.ts'
import { faultOf } from '../abuse/fault-of.ts'

const SECRETS = { demo: 'foo_secret' }
const TOKEN = 'bar_token'
const PROOF = '2ceec40b7b9fd7d38fff1767b766bcc6b1f9feb378febac4612c156e6a8354bd'

const judge = async (proof: string | undefined, required: boolean, app = 'demo'): Promise<void> =>
  assertProof(TOKEN, app, proof, SECRETS, required)

describe('a proof', () => {
  it('is the one that clients compute', () => {
    expect(proofOf(TOKEN, SECRETS.demo)).toBe(PROOF)
  })

  it('is HMAC-SHA256 of the UTF-8 text, in lower-case hex', () => {
    const text = fc.string({ unit: 'grapheme' })
    fc.assert(
      fc.property(text, text, (token, secret) => {
        expect(proofOf(token, secret)).toBe(createHmac('sha256', secret).update(token).digest('hex'))
      }),
    )
  })

  it('may be missing, unless it is compulsory', async () => {
    await judge(undefined, false)
    const fault = await faultOf(judge(undefined, true))
    expect(fault.data).toEqual({ reason: 'proof_invalid', parameter: 'proof' })
    expect(fault.message).toBe('This call needs a proof of possession')
  })

  it.each([true, false])('is taken where it is right (compulsory: %s)', async required => {
    await expect(judge(PROOF, required)).resolves.toBeUndefined()
  })

  it.each(['', 'x', PROOF.toUpperCase(), PROOF.slice(1), `${PROOF} `, 'é'.repeat(64)])(
    'is refused where it is wrong: %o',
    async proof => {
      const fault = await faultOf(judge(proof, false))
      expect(fault.message).toBe('The proof of possession is wrong')
      expect(fault).toMatchObject({ code: 100, status: 400, type: 'GraphMethodException' })
    },
  )

  it.each(['other', 'constructor', '__proto__', ''])(
    'cannot be right for an app without a secret: %o',
    async app => {
      expect((await faultOf(judge(PROOF, false, app))).data.reason).toBe('proof_invalid')
    },
  )
})

describe('comparing secrets', () => {
  it('tells what === tells', () => {
    const word = fc.string({ maxLength: 3 })
    fc.assert(
      fc.property(word, word, (a, b) => {
        expect(equalInConstantTime(a, b)).toBe(a === b)
        expect(equalInConstantTime(a, `${a}`)).toBe(true)
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
