// Runs several command lines in one process, in sequence: node run-commands.js MAIN_MODULE [[ARGUMENT, …], …]
// After the output of each it writes its exit code, between a group separator and a record separator.
const [, , module, commandLines] = process.argv
const { main } = await import(module)
// Each command adds a listener for errors of the output.
for (const stream of [process.stdout, process.stderr]) stream.setMaxListeners(0)
for (const args of JSON.parse(commandLines)) {
  process.exitCode = 0
  await main([process.execPath, 'dashboard-api', ...args])
  process.stdout.write(`\x1d${process.exitCode}\x1e`)
}
process.exitCode = 0
