# The tests: sh tests/run.sh
set -e
printf 'a\tb\n' | sh table.sh | grep -q 'a.*b'
echo ok
