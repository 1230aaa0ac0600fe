/** Words that SQLite does not take for names unless they are quoted. */
const reserved =
  /^(add|all|alter|and|as|autoincrement|between|case|cast|check|collate|commit|constraint|create|current_date|current_time|current_timestamp|default|deferrable|delete|distinct|drop|else|escape|except|exists|foreign|from|group|having|in|index|insert|intersect|into|is|isnull|join|limit|not|nothing|notnull|null|on|or|order|primary|raise|references|returning|select|set|table|then|to|transaction|union|unique|update|using|values|when|where)$/i

/** A name in double quotes, as SQL has it. */
export function quotedName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** A name as people write it in a query: in double quotes where SQL needs them. */
export function sqlName(name: string): string {
  return /^[a-z_][a-z0-9_]*$/i.test(name) && !reserved.test(name) ? name : quotedName(name)
}
