// Runs webpack or Rspack with its defaults, and prints what it reports: `node pack.mjs webpack development out`.
import { rspack } from '@rspack/core'
import webpack from 'webpack'

const [name, mode, path] = process.argv.slice(2)
const tool = { webpack, rspack }[name]
tool({ mode, entry: './src/index.js', output: { path: `${process.cwd()}/${path}` } }, (error, stats) => {
  console.log(error ?? stats.toString({ all: false, errors: true, warnings: true }))
})
