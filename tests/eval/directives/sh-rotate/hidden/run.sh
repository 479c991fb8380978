set -e
script=$PWD/rotate.sh
cd "$(mktemp -d)"
fail() { echo "failed: $1"; exit 1; }
for n in 1 2 3 4 5; do
  echo "$n" > "my log"
  sh "$script" "my log" || fail "rotating $n"
  test -f "my log" || fail "the file is gone"
  test ! -s "my log" || fail "the file is not empty"
done
test "$(cat "my log.1")" = 5 || fail "the newest"
test "$(cat "my log.3")" = 3 || fail "the oldest"
test ! -e "my log.4" || fail "one too many"
sh "$script" "my log" || fail "an empty file"
test "$(cat "my log.1")" = 5 || fail "an empty file was rotated"
for keep in 0 x -1 1.5; do
  echo new > "my log"
  code=0
  sh "$script" "my log" "$keep" 2> error || code=$?
  test "$code" = 2 || fail "KEEP $keep ends with $code"
  test -s error || fail "no message for KEEP $keep"
  test "$(cat "my log")" = new || fail "KEEP $keep changed the file"
done
code=0
sh "$script" nothing 2> error || code=$?
test "$code" = 2 || fail "no file ends with $code"
test -s error || fail "no message where there is no file"
sh "$script" "my log" 1 || fail "KEEP 1"
test "$(cat "my log.1")" = new || fail "KEEP 1: the newest"
echo ok
