// What is in the cells of a column, over all rows of a file. Memory does not grow with the rows.

import { type Decimal, decimalOf, readNumber } from '@rapport/contract/numbers.values'
import { type DateOrder, isNoDate, ordersOf, readDate } from '../values/dates.ts'
import { readFlag } from '../values/read-values.ts'

/** How many values are sampled to classify a column. Types and orders use all of them. */
const lookedAt = 1_000
const longest = 300
const maxSamples = 3
const maxDistinct = 50

export const contents = {
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  email: /^[^\s@,;<>]+@[^\s@,;<>]+\.[^\s@,;<>]+$/,
  person: /^(https?:\/\/)?([a-z]{2,3}\.)?linkedin\.com\/(in|pub)\/\S+$/i,
  company: /^(https?:\/\/)?([a-z]{2,3}\.)?linkedin\.com\/(company|school)\/\S+$/i,
  url: /^(https?:\/\/\S+|([\p{L}\p{N}-]+\.)+\p{L}{2,}(\/\S*)?)$/iu,
  /** With a plus, a zero or the groups of North America: otherwise it is any number. */
  // 03/04/2025 is a date.
  phone:
    /^(?!\d{1,4}([./-])\d{1,2}\1\d{1,4}$)'?(\+\d[\d\s()./-]{5,}|\(?0\d[\d\s()./-]{5,}|\(?\d{3}\)?[\s.-]\d{3}[\s.-]\d{4})$/,
  honorific:
    /^((mr|mrs|ms|miss|mx|dr|prof|sir|herr|frau|mme|mlle|m|sr|sra|srta|d|dña|dott|dott\.ssa|ing|dipl\.?-ing|mag|mgr|rev|hon|phd)\.?[\s,]*)+$/i,
} as const
export type Content = keyof typeof contents
const contentNames = Object.keys(contents) as Content[]

/** What the name of a column suggests: only what is then possible is checked. */
export type Promised = 'text' | 'email' | 'phone' | 'time' | 'number' | undefined

const separators = [' ::: ', ';', '|', ',']
const anySeparator = /[;|,]| ::: /

export class ColumnProfile {
  /** Values that are not empty. */
  count = 0
  samples: string[] = []
  /** Undefined when there are too many. */
  distinct: Set<string> | undefined = new Set()
  longest = 0
  hasLines = false
  hasTimes = false
  /** Text with a colon group, semicolon and so on between values somewhere in the column. */
  separators = new Set<string>()
  /** The currencies next to amounts. */
  currencies = new Set<string>()
  hasBareNumbers = false
  /** What all values are, if there are any. */
  isDate: boolean
  isNumber: boolean
  isFlag: boolean
  isEmail: boolean
  isPhone: boolean
  #looked = 0
  #contents = new Map<Content, number>()
  #values: string[] = []
  readonly #hasDates: boolean
  readonly #isText: boolean
  #dates = { dmy: 0, mdy: 0, both: 0 }
  #decimals = { '.': 0, ',': 0, either: 0 }

  constructor(promised?: Promised) {
    const isOpen = promised === undefined
    this.isDate = isOpen
    this.isFlag = isOpen
    this.isNumber = isOpen || promised === 'number'
    this.isEmail = isOpen || promised === 'email'
    this.isPhone = isOpen || promised === 'phone'
    this.#hasDates = isOpen || promised === 'time'
    this.#isText = promised === 'text'
  }

  add(text: string): void {
    this.count++
    if (text.length > this.longest) this.longest = text.length
    if (this.samples.length < maxSamples && !this.samples.includes(text))
      this.samples.push(text.slice(0, longest))
    if (this.distinct) {
      this.distinct.add(text.length > 100 ? text.slice(0, 100) : text)
      if (this.distinct.size > maxDistinct) this.distinct = undefined
    }
    if (this.#looked < lookedAt) this.#look(text)
    this.#type(text)
  }

  /** The name was right: only separators between values are still checked. */
  get isSettled(): boolean {
    return this.#isText && this.#looked >= lookedAt
  }

  /** The same as add() for a cell as it is in the file. */
  glance(cell: string): void {
    this.count++
    // It does not count different values anymore.
    this.distinct = undefined
    if (this.separators.size < separators.length && anySeparator.test(cell)) this.#separate(cell)
    if (!this.hasLines && cell.includes('\n')) this.hasLines = true
    if (cell.length > this.longest) this.longest = cell.length
  }

  /** The share of the values, of the first hundred, that have several words. */
  get wordy(): number {
    return this.shareOf(/\p{L}\s+\p{L}/u)
  }

  /** The share of the values, of the first thousand, that are such. */
  share(content: Content): number {
    return this.#looked === 0 ? 0 : (this.#contents.get(content) ?? 0) / this.#looked
  }

  /** Whether nearly all of the first hundred values are such. */
  isMostly(test: RegExp): boolean {
    let others = Math.ceil(this.#values.length / 10)
    return (
      this.#values.length > 0 && this.#values.every((value) => test.test(value) || --others > 0)
    )
  }

  shareOf(test: RegExp): number {
    if (this.#values.length === 0) return 0
    return this.#values.filter((value) => test.test(value)).length / this.#values.length
  }

  /** The order of its dates; 'unknown' when they can be read in both ways, undefined when it has no such. */
  get dates(): DateOrder | 'unknown' | undefined {
    const { dmy, mdy, both } = this.#dates
    if (dmy > 0 && mdy > 0) return both > 0 ? 'unknown' : undefined
    return dmy > 0 ? 'dmy' : mdy > 0 ? 'mdy' : both > 0 ? 'unknown' : undefined
  }

  /** The sign before decimals; 'unknown' when numbers can be read in both ways. */
  get decimal(): Decimal | 'unknown' | undefined {
    const { '.': point, ',': comma, either } = this.#decimals
    if (point > 0 && comma > 0) return either > 0 ? 'unknown' : undefined
    return point > 0 ? '.' : comma > 0 ? ',' : either > 0 ? 'unknown' : undefined
  }

  #look(text: string): void {
    this.#looked++
    // Nothing that we look for is long, and the patterns would be slow on long texts.
    if (text.length > longest) return
    if (this.#values.length < 100) this.#values.push(text)
    for (const name of contentNames) {
      if (contents[name].test(text)) this.#contents.set(name, (this.#contents.get(name) ?? 0) + 1)
    }
  }

  #type(text: string): void {
    if (!this.hasLines && text.includes('\n')) this.hasLines = true
    if (this.separators.size < separators.length && anySeparator.test(text)) this.#separate(text)
    if (text.length > longest) {
      this.isDate = this.isNumber = this.isFlag = this.isEmail = this.isPhone = false
      return
    }
    const orders = this.#hasDates ? ordersOf(text) : undefined
    if (orders) this.#dates[orders]++
    if (this.isDate && !isNoDate(text)) {
      // Which of the two orders it is does not matter here; plain numbers are no dates.
      const date = /^\d+([.,]\d+)?$/.test(text)
        ? undefined
        : readDate(text, orders === 'both' ? 'dmy' : orders)
      this.isDate = date !== undefined
      if (date?.time) this.hasTimes = true
    }
    if (this.isNumber) this.#number(text)
    if (this.isFlag) this.isFlag = text.length > 1 && readFlag(text) !== undefined
    if (this.isEmail) this.isEmail = contents.email.test(text)
    if (this.isPhone) this.isPhone = contents.phone.test(text)
  }

  #separate(text: string): void {
    for (const sign of separators) if (text.includes(sign)) this.separators.add(sign)
  }

  #number(text: string): void {
    const decimal = decimalOf(text)
    const number = readNumber(text, decimal === 'either' ? '.' : decimal)
    // A leading zero is part of a code, and so are more digits than a number holds. "5m" may be a length.
    if (!number || number.isShort || /^0\d/.test(text) || text.length > 40) {
      this.isNumber = false
      return
    }
    if (decimal) this.#decimals[decimal]++
    if (number.currency === undefined) this.hasBareNumbers = true
    else this.currencies.add(number.currency)
  }
}
