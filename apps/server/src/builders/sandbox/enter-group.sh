# Joins control groups, then becomes the command: everything it starts is in them from the first moment.
#   sh enter-group.sh JOIN_FILE... -- COMMAND...
set -eu
while [ "$1" != -- ]; do
  echo 0 >"$1"
  shift
done
shift
exec "$@"
