import type { Node } from './nodes.js'

/** The completion script for zsh. */
export const zsh = (nodes: Node[]): string => `#compdef dashboard-api
_dashboard_api() {
  local place='' word before="\${words[CURRENT-1]}"
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$place $word" in
      ${nodes
        .filter(({ path }) => path)
        .map(({ path }) => `' ${path}'`)
        .join('|')}) place="$place $word" ;;
    esac
  done
  case "$place:$before" in
${nodes.flatMap(valueCases).join('\n')}
  esac
  local -a found
  case "$place" in
${nodes.map(placeCase).join('\n')}
  esac
  _describe 'dashboard-api' found
}
if [ "$funcstack[1]" = '_dashboard_api' ]; then
  _dashboard_api "$@"
else
  compdef _dashboard_api dashboard-api
fi
`

const valueCases = ({ path, options }: Node): string[] =>
  options
    .filter(({ takesValue }) => takesValue)
    .map(({ names, choices, takesFile }) => {
      const patterns = names.map((name) => `'${placeOf(path)}:${name}'`).join('|')
      const values = choices.length > 0 ? `compadd -- ${choices.join(' ')}; ` : ''
      return `    ${patterns}) ${takesFile ? '_files; ' : values}return ;;`
    })

const placeCase = ({ path, commands, options, choices, takesFile }: Node): string => {
  const described = [...commands, ...choices.map((name) => ({ name, description: '' })), ...options]
  const found = described.map(({ name, description }) => `'${name}:${description}'`).join(' ')
  return `    '${placeOf(path)}') found=(${found})${takesFile ? '; _files' : ''} ;;`
}

const placeOf = (path: string) => (path ? ` ${path}` : '')
