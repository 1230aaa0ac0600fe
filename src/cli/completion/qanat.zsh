#compdef qanat
# Completion of qanat for zsh.
_qanat() {
  local -a lines candidates
  local line value description
  local -i failed=1
  lines=("${(@f)$(qanat completion complete -- "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}")
  for line in "${(@)lines[2,-1]}"; do
    value=${line%%$'\t'*}
    description=${line#*$'\t'}
    value=${value//\\/\\\\}
    candidates+=("${value//:/\\:}${description:+:$description}")
  done
  (( $#candidates )) && _describe -V qanat candidates && failed=0
  [[ $lines[1] == (files|folders) && $PREFIX == --*=* ]] && compset -P '*='
  case $lines[1] in
    files) _files && failed=0 ;;
    folders) _files -/ && failed=0 ;;
  esac
  return failed
}
if [[ ${funcstack[1]} == _qanat ]]; then
  _qanat "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
  compdef _qanat qanat
fi
