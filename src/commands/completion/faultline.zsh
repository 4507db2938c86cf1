#compdef faultline
# Completion of faultline for zsh. Try it: source <(faultline completion zsh)
_faultline() {
  local line value text files
  local -a found
  for line in "${(@f)$("${words[1]}" complete -- "${(@Q)words[2,CURRENT]}" 2>/dev/null)}"; do
    if [[ $line == ':files' ]]; then files=1; continue; fi
    value=${line%%$'\t'*} text=${line#*$'\t'}
    [[ -n $value ]] && found+=("${value//:/\\:}${text:+:$text}")
  done
  (( $#found )) && _describe faultline found
  if [[ -n $files ]]; then _files; fi
}
if [[ $funcstack[1] == _faultline ]]; then
  _faultline "$@"
elif (( $+functions[compdef] )); then
  compdef _faultline faultline
else
  print -u2 'faultline: completion needs compinit: autoload -U compinit && compinit'
fi
