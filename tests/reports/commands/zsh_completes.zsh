# zsh_completes.zsh FOLDER LINE: what zsh completes the command line to, a word a line, with the _fftprec
# in FOLDER. A shell on a pseudo-terminal gets LINE and a tab; what its completion adds goes to a file.
zmodload zsh/zpty
typeset folder=$1 line=$2
zpty shell "HOME=$folder zsh -f -i"
zpty -w shell "
fpath=($folder \$fpath)
autoload -Uz compinit
compinit -u -D
compadd() {
  local argument
  for argument in \"\$@\"; do
    [[ \$argument == (-|--) ]] && break
    [[ \$argument == -[OAD] ]] && { builtin compadd \"\$@\"; return }
  done
  local -a found
  builtin compadd -A found \"\$@\"
  print -lr -- \$found >>$folder/found
  builtin compadd \"\$@\"
}
_finish() { print -r -- . >$folder/finished }
comppostfuncs=(_finish)
_main() { _main_complete; _finish }
zle -C _main complete-word _main
bindkey '^I' _main
print ready >$folder/ready"
integer i
for ((i = 0; i < 600; ++i)); do [[ -e $folder/ready ]] && break; sleep 0.05; done
zpty -w -n shell "$line"$'\t'
for ((i = 0; i < 600; ++i)); do [[ -e $folder/finished ]] && break; sleep 0.05; done
zpty -d shell
[[ -e $folder/finished ]] || { print "zsh did not finish"; exit 1 }
[[ ! -e $folder/found ]] || grep . $folder/found
exit 0
