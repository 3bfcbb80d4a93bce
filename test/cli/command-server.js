// Runs command lines in sequence, in a process that has loaded the program: node command-server.js MAIN_MODULE.
// Each message has the command line, its folder and its environment. After the output of each, a marker is written to both
// streams, on stdout with the exit code.
const { main } = await import(process.argv[2])
// Each command adds a listener for errors of the output, and some add one for the end of the process.
for (const emitter of [process, process.stdout, process.stderr]) emitter.setMaxListeners(0)

process.on('message', async ({ args, cwd, env, marker }) => {
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name]
  Object.assign(process.env, env)
  process.chdir(cwd)
  process.exitCode = 0
  await main([process.execPath, 'dashboard-api', ...args])
  // `dev` does not wait for its channel; this process does.
  process.channel?.ref()
  process.stderr.write(marker)
  process.stdout.write(`${marker}${process.exitCode}${marker}`)
})
process.on('disconnect', () => process.exit())
