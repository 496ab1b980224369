#!/bin/sh
# npm on the Node of this project, since npm picks versions by the Node that runs it: npm run npm -- install x
root=$(cd "$(dirname "$0")/.." && pwd -P) || exit 1
program=${npm_execpath-}
[ -n "$program" ] || exec npm "$@"
exec sh "$root/scripts/node.sh" "$program" "$@"
