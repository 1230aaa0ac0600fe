# Completion of qanat for bash.
_qanat() {
  local line value before='' part='' at=$COMP_CWORD last=$2 typed=${2//\\/}
  [[ ${COMP_WORDS[at]} == [=:] ]] && last=${COMP_WORDS[at]} typed='' before=${COMP_WORDS[--at]}$last
  # Version 3.2 (macOS) splits only the word that is to be completed.
  [[ ${COMP_WORDS[at]} == ?*[=:]"$last" ]] && before=${COMP_WORDS[at]%"$last"} last=${COMP_WORDS[at]}
  # bash splits words at = and :, and replaces only the part after them.
  while [[ $at -gt 1 && ${COMP_WORDS[at - 1]} == [=:] ]]; do
    before=${COMP_WORDS[at - 2]}${COMP_WORDS[at - 1]}$before
    at=$((at - 2))
  done
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ $part == '' ]]; then
      part=$line
      continue
    fi
    value=${line%%$'\t'*}
    [[ $value == "$before$typed"* ]] || continue
    value=${value#"$before"}
    # Inside an open quote, offer only values that are plain text there.
    case ${COMP_WORDS[COMP_CWORD]} in
      \'*) [[ $value != *\'* ]] || continue ;;
      \"*) [[ $value != *[\"\\\$\`!]* ]] || continue ;;
      *) printf -v value %q "$value" ;;
    esac
    COMPREPLY+=("$value")
  done < <(qanat completion complete -- "${COMP_WORDS[@]:1:COMP_CWORD - 1}" "$last" 2>/dev/null)
  [[ $part == files ]] && compopt -o default 2>/dev/null
  [[ $part == folders ]] && compopt -o dirnames 2>/dev/null
}
# Older versions have no -o nosort, and version 3.2 has no compopt: it offers files if there is nothing else.
complete -o nosort -F _qanat qanat 2>/dev/null || complete -o default -F _qanat qanat
