/** In the page: resolves with the time of the frame in which `condition` holds for the first time. */
export const whenPainted = (condition: string) => `new Promise((resolve) => {
  const look = () => (${condition})
    ? requestAnimationFrame(() => resolve(performance.now()))
    : requestAnimationFrame(look)
  look()
})`
