import type { CommandNode, OptionNode } from './command-nodes.js'

/** The completion script for fish. */
export const fish = (nodes: CommandNode[]): string => `# fish completion for dashboard-api
function __dashboard_api_at
    set -l cmd
    for word in (commandline -opc)[2..-1]
        set -l longer (string trim "$cmd $word")
        contains -- $longer ${nodes
          .filter(({ path }) => path)
          .map(({ path }) => `'${path}'`)
          .join(' ')}
        and set cmd $longer
    end
    test "$cmd" = "$argv[1]"
end
complete -c dashboard-api -f
${nodes.flatMap(linesOf).join('\n')}
`

function linesOf({ path, commands, options, choices, takesFile }: CommandNode): string[] {
  const at = `complete -c dashboard-api -n "__dashboard_api_at '${path}'"`
  return [
    ...commands.map(({ name, description }) => `${at} -a ${name} -d '${description}'`),
    ...(choices.length > 0 ? [`${at} -a '${choices.join(' ')}'`] : []),
    ...(takesFile ? [`${at} -F`] : []),
    ...options.map((option) => `${at} ${flagsOf(option)} -d '${option.description}'`),
  ]
}

function flagsOf({ names, takesValue, choices, takesFile }: OptionNode): string {
  const flags = names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`))
  const values = choices.length > 0 ? [`-a '${choices.join(' ')}'`] : []
  return [...flags, ...(takesValue ? [takesFile ? '-r -F' : '-x', ...values] : [])].join(' ')
}
