// The code of docs/WEBHOOKS.md that verifies a request, in each language whose interpreter is on this machine.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../root.ts'
import { newSecret, signedHeaders } from './sign.ts'

interface Language {
  program: string
  file: string
  /** The whole program: it reads calls of `verify` as JSON lines, or as the arguments, and prints the results. */
  around(code: string): string
}

const languages: Record<string, Language> = {
  js: {
    ...{ program: 'node', file: 'verify.mjs' },
    around: (code) => `${code}
      for (const call of JSON.parse(process.argv[2])) console.log(verify(...call))`,
  },
  python: {
    ...{ program: 'python3', file: 'verify.py' },
    around: (code) => `${code}
import json, sys
for call in json.loads(sys.argv[1]): print(str(verify(*call)).lower())`,
  },
  php: {
    ...{ program: 'php', file: 'verify.php' },
    around: (code) => `<?php ${code}
      foreach (json_decode($argv[1], true) as $call) echo verify(...$call) ? 'true' : 'false', "\\n";`,
  },
  ruby: {
    ...{ program: 'ruby', file: 'verify.rb' },
    around: (code) => `${code}
require "json"
JSON.parse(ARGV[0]).each { |call| puts verify(*call) }`,
  },
  // It has no parser of JSON: the calls are arguments, six for each.
  java: {
    ...{ program: 'java', file: 'Verify.java' },
    around: (code) => `
      import static java.nio.charset.StandardCharsets.UTF_8;
      import java.security.MessageDigest;
      import java.util.*;
      import java.util.stream.Stream;
      import javax.crypto.Mac;
      import javax.crypto.spec.SecretKeySpec;
      public class Verify {
        ${code}
        public static void main(String[] args) throws Exception {
          for (int i = 1; i < args.length; i += 5) {
            Map<String, String> headers = Map.of("webhook-id", args[i + 1], "webhook-timestamp", args[i + 2], "webhook-signature", args[i + 3]);
            System.out.println(verify(args[i], headers, args[i + 4]));
          }
        }
      }`,
  },
}

const guide = readFileSync(new URL('docs/WEBHOOKS.md', root), 'utf8')
const snippets = [...guide.matchAll(/^```(\w+) verify\n(.*?)^```$/gms)]

function isHere(program: string): boolean {
  try {
    execFileSync(program, ['-version'], { stdio: 'ignore' })
    return true
  } catch (error) {
    // One that does not know the option ends with a status.
    return (error as { status: number | null }).status !== null
  }
}

const [secret, old, other] = [newSecret(), newSecret(), newSecret()]
const body = '{"name":"Zoë"}'
const message = { id: 'msg_1', at: new Date(), body }
const late = { ...message, at: new Date(Date.now() - 600_000) }
const calls = [
  [secret, signedHeaders([secret], message), body],
  [secret, signedHeaders([old, secret], message), body],
  [other, signedHeaders([old, secret], message), body],
  [secret, signedHeaders([secret], message), `${body} `],
  [secret, signedHeaders([secret], late), body],
] as const

test('the guide has five languages, in ten lines each', () => {
  expect(snippets.map(([, language]) => language)).toEqual(Object.keys(languages))
  for (const [, language, code = ''] of snippets) {
    expect(code.trim().split('\n').length, language).toBeLessThanOrEqual(10)
  }
})

test.each(snippets.map(([, language = '', code = '']) => [language, code]))('%s', (name, code) => {
  const { program, file, around } = languages[name] as Language
  if (!isHere(program)) return
  const folder = mkdtempSync(join(tmpdir(), 'rapport verify '))
  writeFileSync(join(folder, file), around(code))
  const plain = calls.flatMap(([secret, headers, body]) => [
    ...[secret, headers['webhook-id'], headers['webhook-timestamp']],
    ...[headers['webhook-signature'], body],
  ])
  const env = { ...process.env, LC_ALL: 'C.UTF-8' }
  const args = [join(folder, file), JSON.stringify(calls), ...(name === 'java' ? plain : [])]
  const output = execFileSync(program, args, { encoding: 'utf8', env })
  rmSync(folder, { recursive: true })
  expect(output.trim().split(/\s+/)).toEqual(['true', 'true', 'false', 'false', 'false'])
})
