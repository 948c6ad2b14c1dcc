// Passwords that are long enough, but among the first that an attacker tries. The list is short, because
// most of them are a common word with digits and signs around it, or a pattern.

/** Words without digits and signs. "P4ssw0rd2026!" is read as "password". */
const words = new Set(
  `password passwort motdepasse contrasena wachtwoord passphrase letmein welcome willkommen bienvenue
  changeme default secret topsecret mysecret administrator admin rapport salesforce hubspot iloveyou
  princess sunshine football baseball basketball superman batman starwars pokemon monkey dragon
  master trustno hello helloworld whatever computer internet samsung google facebook linkedin
  liverpool chelsea arsenal barcelona juventus michael jennifer jessica ashley thomas charlie
  january february march april june july august september october november december
  monday tuesday wednesday thursday friday saturday sunday spring summer autumn winter
  correcthorsebatterystaple companyname mypassword newpassword
  testtest testing tester login signin qwerty qwertz azerty asdf zxcv abc`.split(/\s+/),
)

/** Neighbors in the alphabet, among the digits and on keyboards. */
const rows = [
  '01234567890',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopasdfghjklyxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p',
  'q1w2e3r4t5y6u7i8o9p0',
  '1q2w3e4r5t6z7u8i9o0p',
]

const letterOf: Record<string, string> = {
  ...{ '0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '7': 't', '@': 'a', $: 's', '!': 'i' },
}

export function isCommon(password: string, email: string): boolean {
  const text = password.toLowerCase()
  return isRepeated(text) || isRow(text) || isWord(text) || isEmail(text, email.toLowerCase())
}

/** One to four characters over and over: "aaaaaaaaaa", "12341234123". */
function isRepeated(text: string): boolean {
  return [1, 2, 3, 4].some((length) => text.startsWith(text.slice(length)))
}

/** A part of a row, forward or backward, perhaps with one more character at each end. */
function isRow(text: string): boolean {
  const middle = text.slice(1, -1)
  const backwards = [...middle].reverse().join('')
  return rows.some((row) => [middle, backwards].some((part) => (row + row).includes(part)))
}

/** A common word, once or twice, with digits, signs and letters that look alike. */
function isWord(text: string): boolean {
  const trimmed = text.replace(/^[^\p{L}]+|[\d\W_]+$/gu, '')
  return [text, trimmed].some((part) => {
    const plain = part.replace(/[^\p{L}]/gu, '')
    const read = [...part].map((char) => letterOf[char] ?? char).join('')
    return [plain, read.replace(/[^\p{L}]/gu, '')].some((word) => {
      const half = word.slice(0, word.length / 2)
      return words.has(word) || (words.has(half) && half + half === word)
    })
  })
}

/** The member's own address or the name in it, with fewer than four other characters. */
function isEmail(text: string, email: string): boolean {
  const [name = ''] = email.split('@')
  return [email, name].some(
    (part) => part.length > 3 && text.includes(part) && text.length - part.length < 4,
  )
}
