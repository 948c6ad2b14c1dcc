import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CsvReader, csvLine, findSeparator } from './csv.ts'
import { joinNames, splitNames } from './names.ts'

function read(text: string, separator = ',', size = text.length || 1) {
  const reader = new CsvReader(separator)
  const records = []
  for (let at = 0; at < text.length; at += size) {
    records.push(...[...reader.push(text.slice(at, at + size))].flat())
  }
  return [...records, ...[...reader.end()].flat()]
}

const cells = (text: string, separator?: string) =>
  read(text, separator).map(({ cells, fault }) => fault ?? cells)

describe('CSV', () => {
  test.each([
    [
      'a,b\n1,2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a,b\r\n1,2\r\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a,b\r1,2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    ['a\n\n"",\n', [['a'], ['', '']]],
    ['"a\r\nb","c""d"\n', [['a\r\nb', 'c"d']]],
    ['5" pipe,b\n', [['5" pipe', 'b']]],
    ['"a"', [['a']]],
    ['', []],
  ])('%j', (text, expected) => {
    for (const size of [1, 2, 3, 100]) {
      expect(read(text, ',', size).map((record) => record.cells)).toEqual(expected)
    }
  })

  test('a row whose quotes make no sense costs that row only', () => {
    expect(cells('a,"b"c\n1,2\n')).toEqual(['There is text after a closing quote', ['1', '2']])
    expect(cells('1,2\n"open,3\n4,5\n')).toEqual([
      ['1', '2'],
      'A quote is never closed',
      ['4', '5'],
    ])
  })

  test('a cell of 100 KB, and a row beyond all bounds', () => {
    const big = 'x'.repeat(100_000)
    expect(read(`a,"${big}"\n1,2`, ',', 65_536)[0]?.cells).toEqual(['a', big])
    const endless = `${'y'.repeat(17 * 1024 * 1024)}\n1,2\n`
    expect(read(endless, ',', 1024 * 1024).map(({ fault, cells }) => fault ?? cells)).toEqual([
      'The row is larger than 16 MiB',
      ['1', '2'],
    ])
    for (const end of ['\r', '\r\n']) {
      const rows = read(endless.replaceAll('\n', end), ',', 1024 * 1024 + 1)
      expect(rows.map(({ cells }) => cells.length)).toEqual([1, 2])
    }
  })

  test('what is written is read, however it comes', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.array(fc.string({ unit: fc.constantFrom(...'ab,;"\r\n\t é') }), { minLength: 2 }),
        ),
        fc.constantFrom(',', ';', '\t'),
        fc.integer({ min: 1, max: 20 }),
        (rows, separator, size) => {
          const text = rows.map((row) => `${csvLine(row, separator)}\r\n`).join('')
          expect(read(text, separator, size).map((record) => record.cells)).toEqual(rows)
        },
      ),
      { seed: 5 },
    )
  })

  test('any text gives the same records, however it comes', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'ab,"\r\n'), maxLength: 60 }),
        fc.integer({ min: 1, max: 7 }),
        (text, size) => {
          expect(read(text, ',', size)).toEqual(read(text))
        },
      ),
      { seed: 5, numRuns: 2000 },
    )
    // Lines behind a record that is given up are read one by one.
    expect(cells('"a\nb\nc",e,"x"y\n1,2\n')).toEqual([
      'There is text after a closing quote',
      ['b'],
      'There is text after a closing quote',
      ['1', '2'],
    ])
  })

  test('a row of very many cells is not built', () => {
    const wide = (cell: string) => `1,2\n${`${cell},`.repeat(400_000)}z\n3,4\n`
    for (const cell of ['x', '"x"', '']) {
      const [first, row, last, ...more] = read(wide(cell), ',', 65_536)
      expect(row?.fault).toBe('Has more than 1,000 cells; the rest are omitted here')
      expect([first?.cells, row?.cells.length, last?.cells, more]).toEqual([
        ['1', '2'],
        1001,
        ['3', '4'],
        [],
      ])
      expect(row?.raw).toBe(`${cell},`.repeat(1001).slice(0, -1))
    }
    // Empty cells at the end are no cells.
    expect(read(`1${','.repeat(5_000)}\n"1"${','.repeat(5_000)}\n`)).toMatchObject([
      { number: 1, cells: ['1', ...Array(1000).fill('')] },
      { number: 2, cells: ['1', ...Array(1000).fill('')] },
    ])
  })

  test('separators', () => {
    expect(findSeparator(['a,b;c,d'])).toBe(',')
    expect(findSeparator(['"a,b,c";d'])).toBe(';')
    expect(findSeparator(['a\tb, c\td'])).toBe('\t')
    expect(findSeparator(['email'])).toBe(',')
  })

  test('names in a cell', () => {
    expect(splitNames('Warm, Hot')).toEqual(['Warm', 'Hot'])
    expect(splitNames('Smith, John; Doe, Jane')).toEqual(['Smith, John', 'Doe, Jane'])
    expect(splitNames(' ;; ')).toEqual([])
    const name = fc.string({ minLength: 1, unit: fc.constantFrom(...'ab ,;"|\n') })
    fc.assert(
      fc.property(fc.array(name), (names) => {
        expect(splitNames(joinNames(names))).toEqual(names)
      }),
      { seed: 5 },
    )
  })
})
