# Runs every case: cases/name.in goes in, cases/name.out must come out, errors included.
failed=0
for sheet in cases/*.in; do
  name=$(basename "$sheet" .in)
  if node tally.cjs <"$sheet" 2>&1 | diff "cases/$name.out" -; then
    echo "ok $name"
  else
    echo "FAILED $name"
    failed=1
  fi
done
exit $failed
