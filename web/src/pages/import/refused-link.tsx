import { Download } from 'lucide-react'
import { imports } from '../../words/imports.ts'
import css from './import.module.css'

/** The browser writes the file to the disk as it comes. */
export function RefusedLink({ id, number }: { id: string; number: number }) {
  return (
    <a className={css.link} href={`/rest/imports/${id}/rejected`} download>
      <Download size={14} aria-hidden="true" /> {imports.download(number)}
    </a>
  )
}
