declare module 'object-treeify' {
  /** A tree of names, drawn with lines; a leaf is null. */
  export default function treeify(tree: object): string
}
