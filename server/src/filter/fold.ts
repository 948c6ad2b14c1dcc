// Folds text in SQL exactly as `fold` of the contract does.
import { accents, letters } from '@rapport/contract/fold'

/** The capitals too: without a locale PostgreSQL does not make them small. */
const pairs = [...letters].flatMap(([letter, plain]) => {
  const capital = letter.toUpperCase()
  const isPair = capital.toLowerCase() === letter
  return isPair
    ? [
        [letter, plain],
        [capital, plain.toUpperCase()],
      ]
    : [[letter, plain]]
})
const [from, to] = [0, 1].map((side) => pairs.map((pair) => pair[side]).join(''))

/** ASCII texts (as many bytes as characters) take a tenth of the time. */
export const foldSql = (text: string) => `
  case when octet_length(${text}) = length(${text}) then lower(${text})
    else translate(lower(regexp_replace(normalize(${text}, nfkd), '${accents}', '', 'g')),
      '${from}', '${to}') end`
