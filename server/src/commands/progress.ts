// How far a long command is: a bar on a terminal, a line now and then elsewhere. On standard error,
// so that the output of the command stays clean.

export interface Progress {
  /** So many are done. */
  at(done: number): void
  /** Takes the bar off the terminal. */
  end(): void
}

/** Where it is shown; process.stderr is one. */
export interface Screen {
  isTTY?: boolean
  write(text: string): unknown
}

const barWidth = 30
const barMs = 100
const lineMs = 5_000

/** `what` names the things that are counted: "leads". */
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
