/** What a text of a page says on any machine at any time: columns are one blank apart. */
export function timeless(text: string): string {
  return (
    text
      .replace(/(?<="\w+_(?:s|bytes)": )(?:[\d.]+|null)/g, 'NUMBER')
      .replace(/\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z?)?|\b\d\d:\d\d:\d\d\b/g, 'TIME')
      .replace(/\b[0-9a-f]{7,64}\b/g, 'HASH')
      .replace(/\b\d+(\.\d+)? (ms|s|min|h)\b|\b(\d+-)?\d+:\d\d(:\d\d)?\b/g, 'DURATION')
      // On a busy machine groups take long enough for a look at their memory.
      .replace(/ Memory(?= +CPU time)|(?<=DURATION *) \d+(\.\d+)? [KMG](?= )/g, '')
      // It may come late.
      .replace(/^Environment: .*\n/gm, '')
      .replace(/\b\d+(\.\d+)? ([KMG]|[kMG]?B)\b/g, 'SIZE')
      .replace(/ +/g, ' ')
  )
}
