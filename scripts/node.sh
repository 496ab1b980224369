#!/bin/sh
# Runs a program of this project with the Node it needs: sh scripts/node.sh scripts/build.ts [arguments]
root=$(cd "$(dirname "$0")/.." && pwd -P) || exit 1
. "$root/bin/choose-node.sh"
if ! choose_node "$root"; then
  echo "Node 24.15 or newer is missing here. This installs it: node scripts/setup.mjs" >&2
  exit 1
fi
# What the program starts by the name `node` shall be the same one.
PATH=${node%/*}:$PATH
export PATH
exec "$node" "$@"
