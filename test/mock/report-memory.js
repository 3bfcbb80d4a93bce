// Loaded into a mock in a process of its own, with --expose-gc: for each message it collects garbage and sends the memory, in bytes.
process.on('message', () => {
  globalThis.gc()
  const { heapUsed, external } = process.memoryUsage()
  process.send({ bytes: heapUsed + external })
})
