#!/bin/sh
# `npm start` opens the chat and `npm start -- "question"` asks once; a command or an option is handed on as it is.
root=$(cd "$(dirname "$0")/.." && pwd -P) || exit 1
case ${1-} in
  '' | -*) ;;
  ask | chat | confirm | conversations | costs | demo | doctor | grants | help | jobs | log | mcp | run | sandbox | secrets | serve | tools | trusted) ;;
  *) set -- ask "$@" ;;
esac
exec "$root/bin/handrail" "$@"
