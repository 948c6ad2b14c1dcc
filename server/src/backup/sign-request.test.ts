import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { emptySha256, signRequest } from './sign-request.ts'

/** The examples of the documentation of S3, with their signatures. */
const account = {
  region: 'us-east-1',
  keyId: 'AKIAIOSFODNN7EXAMPLE',
  secret: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
}
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

test.each([
  [
    'get',
    { method: 'GET', path: ['test.txt'], headers: { range: 'bytes=0-9' }, sha256: emptySha256 },
    'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  ],
  [
    'put',
    {
      ...{ method: 'PUT', path: ['test$file.text'], sha256: sha256('Welcome to Amazon S3.') },
      headers: {
        date: 'Fri, 24 May 2013 00:00:00 GMT',
        'x-amz-storage-class': 'REDUCED_REDUNDANCY',
      },
    },
    '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  ],
  [
    'list',
    { method: 'GET', path: [''], query: { prefix: 'J', 'max-keys': '2' }, sha256: emptySha256 },
    '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  ],
])('signs a %s request as S3 expects it', (_name, request, signature) => {
  const host = 'examplebucket.s3.amazonaws.com'
  const now = new Date('2013-05-24T00:00:00.000Z')
  const { headers } = signRequest({ ...request, host }, account, now)
  expect(headers.authorization).toMatch(new RegExp(`Signature=${signature}$`))
})
