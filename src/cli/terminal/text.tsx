import { Text as InkText, type TextProps } from 'ink'
import { Children } from 'react'
import { printable, printableLines } from '../output/printable.js'

/** Ink's Text for every view: control characters are visible. With `multiline`, the text may contain line breaks. */
export function Text({ children, multiline = false, ...style }: TextProps & { multiline?: boolean }) {
  const toPrintable = multiline ? printableLines : printable
  return (
    <InkText {...style}>
      {Children.map(children, (child) => (typeof child === 'string' ? toPrintable(child) : child))}
    </InkText>
  )
}
