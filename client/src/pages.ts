// Pages of records: awaited, the first page; in `for await`, the records of all pages.

/** What a query gets: where the next page begins. */
type Place = { after: string } | { cursor: number } | undefined

/** `isOneOfAll`: the others will be read too. */
type Read<Page> = (place: Place, isOneOfAll: boolean) => Promise<Page>

export class Pages<Page, Item> implements PromiseLike<Page>, AsyncIterable<Item> {
  readonly #read: Read<Page>

  constructor(read: Read<Page>) {
    this.#read = read
  }

  // biome-ignore lint/suspicious/noThenProperty: awaiting it reads the first page
  then<A = Page, B = never>(
    resolve?: ((page: Page) => A | PromiseLike<A>) | null,
    reject?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#read(undefined, false).then(resolve, reject)
  }

  /** Page after page. */
  async *pages(): AsyncGenerator<Page, void> {
    for (let place: Place; ; ) {
      const page = await this.#read(place, true)
      yield page
      place = nextOf(page)
      if (!place) return
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void> {
    for await (const page of this.pages()) yield* itemsOf<Item>(page)
  }
}

const itemsOf = <Item>(page: unknown) => Object.values(page as object).find(Array.isArray) as Item[]

function nextOf(page: unknown): Place {
  const { next, pagination } = page as {
    next?: string | null
    pagination?: { next_cursor?: number | null }
  }
  const cursor = pagination?.next_cursor
  if (typeof cursor === 'number') return { cursor }
  return typeof next === 'string' ? { after: next } : undefined
}
