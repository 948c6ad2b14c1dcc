// Shows the progress of a long command: a bar on a terminal, otherwise a line every few seconds. It
// uses standard error, so that standard output contains only the output of the command.

export interface Progress {
  /** Shows how many are done. */
  at(done: number): void
  /** Removes the bar from the terminal. */
  end(): void
}

/** Where the progress is shown, such as process.stderr. */
export interface Screen {
  isTTY?: boolean
  write(text: string): unknown
}

const barWidth = 30
const barMs = 100
const lineMs = 5_000

/** `what` is the name of the counted things, such as "leads". */
export function showProgress(
  what: string,
  total: number,
  screen: Screen = process.stderr,
  clock: () => number = Date.now,
): Progress {
  const started = clock()
  let shown = screen.isTTY ? 0 : started

  return {
    at(done) {
      const now = clock()
      if (now - shown < (screen.isTTY ? barMs : lineMs)) return
      shown = now
      const share = total > 0 ? Math.min(done / total, 1) : 1
      const counted = `${done.toLocaleString('en')} of ${total.toLocaleString('en')} ${what}`
      const text = `${Math.floor(share * 100)}%, ${counted}${timeLeft(now - started, share)}`
      const filled = Math.round(share * barWidth)
      const bar = '█'.repeat(filled) + '░'.repeat(barWidth - filled)
      screen.write(screen.isTTY ? `\r\x1b[2K${bar} ${text}` : `${text}\n`)
    },
    end() {
      if (screen.isTTY) screen.write('\r\x1b[2K')
    },
  }
}

function timeLeft(elapsed: number, share: number): string {
  if (share === 0 || share === 1 || elapsed < 1_000) return ''
  const seconds = Math.ceil((elapsed * (1 - share)) / share / 1_000)
  return seconds < 100 ? `, ${seconds} s left` : `, ${Math.ceil(seconds / 60)} min left`
}
