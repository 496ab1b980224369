#!/bin/sh
# `npm start` opens the chat and `npm start -- "question"` asks once; a command or an option is handed on as it is.
root=$(cd "$(dirname "$0")/.." && pwd -P) || exit 1
case ${1-} in
  '' | -*) ;;
  ask | chat | conversations | demo | doctor | grants | help | mcp | models | run | sandbox | secrets | serve | tools) ;;
  *) set -- ask "$@" ;;
esac
exec "$root/bin/handrail" "$@"
