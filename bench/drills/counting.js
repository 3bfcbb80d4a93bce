/**
 * A drill that counts, and is judged by its counts.
 * @param drill.make(options) makes the fault, and resolves with the counts, and with `faults`, what else did not hold
 * @param drill.none which counts have to be 0, and what each is of, in words
 * @param drill.some which counts may not be 0, since nothing was tried then, and what is said otherwise
 * @param drill.figure(counts, options) the figure, a sentence
 * @param drill.control.options in place of those of the drill, such as a `defect`; `control.caught`, the counts of which none may be
 *   0 then; and `control.figure(counts)`
 */
export const countingDrill = ({ make, none, some = {}, figure, control, ...drill }) => ({
  ...drill,
  async run(options) {
    const { faults, ...counts } = await make(options)
    const found = Object.entries(none).flatMap(([name, what]) =>
      counts[name] > 0 ? [`${counts[name]} ${what}`] : [],
    )
    const untried = Object.entries(some).flatMap(([name, what]) => (counts[name] > 0 ? [] : [what]))
    return { figure: figure(counts, options), faults: [...new Set([...faults, ...found, ...untried])] }
  },
  async control(options) {
    const counts = await make({ ...options, ...control.options })
    return { isCaught: control.caught.every((name) => counts[name] > 0), figure: control.figure(counts) }
  },
})
