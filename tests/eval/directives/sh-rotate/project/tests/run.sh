# The tests: sh tests/run.sh
set -e
script=$PWD/rotate.sh
cd "$(mktemp -d)"
echo one > log
sh "$script" log
test "$(cat log.1)" = one
echo ok
