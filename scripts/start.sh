#!/bin/sh
# `npm start` serves the web app and opens it, `npm start -- "question"` asks once; a command is handed on as it is.
root=$(cd "$(dirname "$0")/.." && pwd -P) || exit 1
case ${1-} in
  # Of the server. npm starts us in our own folder, which nobody means to work in.
  '' | --open | --no-open | --host* | --port* | --name* | --password-file* | --workspace* | --no-workspace)
    set -- serve --open --no-workspace "$@" ;;
  -*) ;;
  ask | chat | confirm | conversations | costs | demo | doctor | grants | help | jobs | log | mcp | run | sandbox | secrets | serve | tools | trusted) ;;
  *) set -- ask "$@" ;;
esac
exec "$root/bin/handrail" "$@"
