// Makes a small square picture of any image, so that the service stores little.
import { settings } from '../../words/settings.ts'

const side = 128
const maxLength = 13_000

/** A JPEG as a data: URL. */
export async function toPicture(file: File): Promise<string> {
  const image = await createImageBitmap(file).catch(() => {
    throw new Error(settings.profile.noPicture)
  })
  const canvas = document.createElement('canvas')
  canvas.width = side
  canvas.height = side
  const context = canvas.getContext('2d')
  const size = Math.min(image.width, image.height)
  const [left, top] = [(image.width - size) / 2, (image.height - size) / 2]
  if (context) {
    // What is transparent becomes white, not black.
    context.fillStyle = 'white'
    context.fillRect(0, 0, side, side)
    context.drawImage(image, left, top, size, size, 0, 0, side, side)
  }
  const made = [0.85, 0.7, 0.5, 0.3].map((quality) => canvas.toDataURL('image/jpeg', quality))
  return made.find(({ length }) => length <= maxLength) ?? made.at(-1) ?? ''
}
