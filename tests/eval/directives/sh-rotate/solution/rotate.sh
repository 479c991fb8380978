# Moves a log out of the way and keeps some old ones: sh rotate.sh FILE [KEEP]
file=$1
keep=${2-3}
case $keep in
  '' | *[!0-9]* | 0) echo "rotate: KEEP is a whole number above 0, not $keep" >&2; exit 2 ;;
esac
test -f "$file" || { echo "rotate: there is no file $file" >&2; exit 2; }
test -s "$file" || exit 0
n=$keep
while [ "$n" -gt 1 ]; do
  older=$((n - 1))
  if [ -e "$file.$older" ]; then mv "$file.$older" "$file.$n"; fi
  n=$older
done
mv "$file" "$file.1"
: > "$file"
