// The parts of a ZIP archive, as streams. What an archive says about its sizes is not trusted: bytes are
// counted as they are inflated.
import type { FileHandle } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import yauzl from 'yauzl'
import { limitInBytes } from '../../../words.ts'
import { ImportError } from './errors.ts'

/** Workbooks have some dozen parts, and one for each picture. */
const maxEntries = 10_000
const maxDirectoryBytes = 8 * 1024 * 1024

export const notXlsx = () =>
  new ImportError(
    'Not a readable XLSX file. It may be password-protected or in an older format. Save it as XLSX or CSV.',
  )

export class Archive {
  readonly #zip: yauzl.ZipFile
  readonly #entries: ReadonlyMap<string, yauzl.Entry>

  private constructor(zip: yauzl.ZipFile, entries: ReadonlyMap<string, yauzl.Entry>) {
    this.#zip = zip
    this.#entries = entries
  }

  /** The caller closes the file. */
  static async open(file: FileHandle): Promise<Archive> {
    const options = { lazyEntries: true, autoClose: false }
    const zip = await new Promise<yauzl.ZipFile>((resolve, reject) =>
      yauzl.fromFd(file.fd, options, (error, found) =>
        error ? reject(notXlsx()) : resolve(found),
      ),
    )
    return new Archive(zip, await readDirectory(zip))
  }

  has(name: string): boolean {
    return this.#entries.has(name.toLowerCase())
  }

  /** The bytes of a part, up to a limit. */
  async *read(name: string, maxBytes: number): AsyncGenerator<Buffer> {
    const entry = this.#entries.get(name.toLowerCase())
    if (!entry) throw notXlsx()
    const stream = await new Promise<Readable>((resolve, reject) =>
      this.#zip.openReadStream(entry, (error, found) =>
        error ? reject(notXlsx()) : resolve(found),
      ),
    )
    let bytes = 0
    for await (const chunk of readable(stream)) {
      bytes += chunk.length
      if (bytes > maxBytes) {
        const limit = limitInBytes(maxBytes)
        throw new ImportError(
          `Part ${name} of the workbook is larger than ${limit}. Save the sheet as CSV or split it.`,
        )
      }
      yield chunk
    }
  }
}

function readDirectory(zip: yauzl.ZipFile): Promise<Map<string, yauzl.Entry>> {
  const entries = new Map<string, yauzl.Entry>()
  let count = 0
  let bytes = 0
  return new Promise((resolve, reject) => {
    zip.on('entry', (entry: yauzl.Entry) => {
      bytes += entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength
      if (++count > maxEntries || bytes > maxDirectoryBytes) {
        return reject(new ImportError('The workbook has too many parts. Save the sheet as CSV.'))
      }
      entries.set(entry.fileName.toLowerCase(), entry)
      zip.readEntry()
    })
    zip.on('end', () => resolve(entries))
    zip.on('error', () => reject(notXlsx()))
    zip.readEntry()
  })
}

/** Broken data, and data of another size than the archive says, is a fault of the file. */
async function* readable(stream: Readable): AsyncGenerator<Buffer> {
  const chunks: AsyncIterator<Buffer> = stream[Symbol.asyncIterator]()
  try {
    for (;;) {
      const { value, done } = await chunks.next().catch(() => Promise.reject(notXlsx()))
      if (done) return
      yield value
    }
  } finally {
    await chunks.return?.()
  }
}
