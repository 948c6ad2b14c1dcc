// The texts that the cells of a workbook share. There may be millions: they are kept as bytes, not as
// strings.

import { counted, limitInBytes } from '../../../words.ts'
import type { Archive } from './archive.ts'
import { ImportError } from './errors.ts'
import { readWholeXml } from './xml.ts'

const maxTexts = 5_000_000
const maxBytes = 128 * 1024 * 1024
/** No spreadsheet allows as much: the limit there is 32,767 characters. */
const maxLength = 1024 * 1024
const partBytes = 256 * 1024 * 1024
const blockBytes = 1024 * 1024

export class SharedTexts {
  readonly #blocks: Buffer[] = []
  #free = 0
  #bytes = 0
  /** Block, place in it and length of each text. */
  #places = new Uint32Array(3 * 1024)
  #count = 0

  static async read(archive: Archive, part: string | undefined, signal?: AbortSignal) {
    const texts = new SharedTexts()
    if (part === undefined) return texts
    const reader = new TextReader(
      (limit) =>
        new ImportError(`Text ${texts.#count + 1} of the workbook is larger than ${limit}.`),
    )
    await readWholeXml(
      archive,
      part,
      { maxBytes: partBytes, signal },
      {
        open: (name) => reader.open(name),
        text: (text) => reader.add(text),
        close(name) {
          reader.close(name)
          if (name === 'si') texts.add(reader.take())
        },
      },
    )
    return texts
  }

  get(index: number): string {
    if (!(index >= 0 && index < this.#count)) return ''
    const [block = 0, start = 0, length = 0] = this.#places.subarray(3 * index, 3 * index + 3)
    return this.#blocks[block]?.toString('utf8', start, start + length) ?? ''
  }

  add(text: string): void {
    const length = Buffer.byteLength(text)
    this.#bytes += length
    if (this.#count === maxTexts || this.#bytes > maxBytes) {
      throw new ImportError(
        `The workbook has more than ${counted(maxTexts, 'distinct text')} or more than ${limitInBytes(maxBytes)} of text. Save the sheet as CSV or split it.`,
      )
    }
    const last = this.#blocks.at(-1)
    if (!last || last.length - this.#free < length) {
      this.#blocks.push(Buffer.allocUnsafe(Math.max(blockBytes, length)))
      this.#free = 0
    }
    if (3 * this.#count === this.#places.length) {
      const more = new Uint32Array(2 * this.#places.length)
      more.set(this.#places)
      this.#places = more
    }
    this.#places.set([this.#blocks.length - 1, this.#free, length], 3 * this.#count++)
    this.#blocks.at(-1)?.write(text, this.#free)
    this.#free += length
  }
}

/** Text with formats in it is in pieces; how Japanese is read is next to them. */
export class TextReader {
  readonly #tooLong: (limit: string) => Error
  #text = ''
  #isText = false
  #isPhonetic = false

  constructor(tooLong: (limit: string) => Error) {
    this.#tooLong = tooLong
  }

  open(name: string): void {
    if (name === 'rPh') this.#isPhonetic = true
    if (name === 't') this.#isText = !this.#isPhonetic
  }

  add(text: string): void {
    if (!this.#isText) return
    this.#text += text
    if (this.#text.length > maxLength) throw this.#tooLong(limitInBytes(maxLength))
  }

  close(name: string): void {
    if (name === 'rPh') this.#isPhonetic = false
    if (name === 't') this.#isText = false
  }

  take(): string {
    const text = this.#text
    this.#text = ''
    // Characters that XML cannot hold are written as _x000D_.
    return text.includes('_x')
      ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code) =>
          String.fromCharCode(Number.parseInt(code, 16)),
        )
      : text
  }
}
