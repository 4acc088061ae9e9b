#!/bin/sh
# Colors: on a terminal only, which `script` plays here; never with NO_COLOR, a terminal that is dumb, or in JSON.
#
# usage: color.sh HALOGEN
if ! command -v script >/dev/null; then
    echo "skipped: no 'script' on this machine; install bsdutils"
    exit 77
fi
. "$(dirname "$0")/stand-in.sh"
rm -r modules
echo 'retrun spec "wrong" {}' >wrong.lua
escape=$(printf '\33')

# colors WORD COMMAND: whether what a terminal gets of the shell command has colors, "yes" or "no", and the message at all.
colors() {
    got=$(script -qec "$2" /dev/null </dev/null | tr -d '\r')
    case $got in
    *"$escape["*) has=yes ;;
    *) has=no ;;
    esac
    [ "$has" = "$1" ] || complain "colors: $has, not $1: $2: $got"
    case $got in
    *wrong.lua*) ;;
    *) complain "no message from: $2: $got" ;;
    esac
}

unset NO_COLOR
TERM=xterm
export TERM halogen
colors yes '"$halogen" check wrong.lua'
colors yes '"$halogen" wrong.lua -o out'
colors yes '"$halogen" check wrong.lua >/dev/null'
colors yes 'NO_COLOR= "$halogen" check wrong.lua'
colors no 'NO_COLOR=1 "$halogen" check wrong.lua'
colors no 'NO_COLOR=0 "$halogen" check wrong.lua'
colors no 'TERM=dumb "$halogen" check wrong.lua'
colors no 'unset TERM; "$halogen" check wrong.lua'
colors no '"$halogen" check wrong.lua --diag json'
colors no '"$halogen" check wrong.lua 2>&1 | cat'
colors no '"$halogen" check wrong.lua 2>said; cat said'
colors no '"$halogen" check --help; echo wrong.lua'
finish
