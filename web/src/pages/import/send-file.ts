// Sends a file to the service and hears how far the import is. The browser reads the file from the disk
// while it sends it. Fetch does not tell how much is sent, so this is an XMLHttpRequest.
import type { Issue } from '@rapport/contract/errors'
import { fileFormats, formatOfName, type ImportProgress } from '@rapport/contract/transfer.values'
import { type Reply, tellSignedOut } from '../../api/call.ts'
import { Fault } from '../../api/fault.ts'
import { duplicates } from '../../words/duplicates.ts'
import { imports } from '../../words/imports.ts'

export type ImportResult = Reply<'POST /leads/import'>

export type Heard =
  | { phase: 'sending' | 'reading'; bytes: number }
  | ({ phase: 'importing' } & ImportProgress)

export const accepted = Object.values(fileFormats)
  .flatMap(({ endings }) => endings.map((ending) => `.${ending}`))
  .join()

const typeOf = ({ name }: File) => fileFormats[formatOfName(name) ?? 'csv'].type

export function sendFile(
  file: File,
  query: URLSearchParams,
  onHeard: (heard: Heard) => void,
  signal: AbortSignal,
): Promise<ImportResult> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    let read = 0
    const refuse = (status: number, issues: Issue[] = []) => {
      if (status === 401) tellSignedOut()
      reject(new Fault(status, issues))
    }
    const hear = () => {
      if (request.status !== 200) return
      const text = request.responseText
      for (let end = text.indexOf('\n\n', read); end >= 0; end = text.indexOf('\n\n', read)) {
        const [, event, data] =
          /^event: (\w+)\ndata: (.*)$/.exec(text.slice(read, end)) ?? ([] as undefined[])
        read = end + 2
        if (!data) continue
        const said = JSON.parse(data)
        if (event === 'progress') onHeard(said)
        else if (event === 'result') resolve(said)
        else refuse(said.status, said.issues)
      }
    }
    request.upload.onprogress = ({ loaded }) => onHeard({ phase: 'sending', bytes: loaded })
    request.onprogress = hear
    request.onload = () => {
      hear()
      // After a result or a fault this changes nothing.
      refuse(request.status === 200 ? 0 : request.status, issuesIn(request))
    }
    request.onerror = () => refuse(0)
    request.onabort = () => reject(signal.reason)
    signal.addEventListener('abort', () => request.abort())
    request.open('POST', `/rest/leads/import?${query}`)
    request.setRequestHeader('Content-Type', typeOf(file))
    request.send(file)
  })
}

const tooLarge = (message: string): Issue => ({ path: [], code: 'too_large', message })

function issuesIn({ responseText, status }: XMLHttpRequest): Issue[] {
  // Whoever refuses the address: only the choices for single rows make it so long.
  if (status === 414 || status === 431) return [tooLarge(duplicates.inImport.tooMany)]
  try {
    return (JSON.parse(responseText) as { issues?: Issue[] }).issues ?? []
  } catch {
    // Not an answer of the service: a proxy has refused the file.
    return status === 413 ? [tooLarge(imports.proxy)] : []
  }
}
