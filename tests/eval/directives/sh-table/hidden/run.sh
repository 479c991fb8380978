set -e
fail() { echo "failed: $1"; exit 1; }
got=$(printf 'name\tcount\tnote\npen\t5\tblue\nnotebook\t-12.5\tx\n' | sh table.sh)
want='name      count  note
pen           5  blue
notebook  -12.5  x'
test "$got" = "$want" || fail "columns: $got"
got=$(printf 'a\tn\nb\t10\nc\n' | sh table.sh)
want='a   n
b  10
c'
test "$got" = "$want" || fail "a short line: $got"
got=$(printf 'a\tn\tz\nb\t\tx\nc\t10\ty\n' | sh table.sh)
want='a  n   z
b      x
c  10  y'
test "$got" = "$want" || fail "an empty field: $got"
test -z "$(printf '' | sh table.sh)" || fail "no input"
printf 'x\ty\nlonger\t\n' | sh table.sh | grep -q ' $' && fail "a space at the end"
echo ok
