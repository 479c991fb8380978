# Prints fields that are parted by tabs in columns, numbers to the right: sh table.sh < FILE
awk -F '\t' '
{
  for (i = 1; i <= NF; i++) {
    field[NR, i] = $i
    if (length($i) > width[i]) width[i] = length($i)
    if (NR > 1 && $i !~ /^-?[0-9]+(\.[0-9]+)?$/) text[i] = 1
    if (NR > 1) seen[i] = 1
  }
  fields[NR] = NF
  if (NF > columns) columns = NF
}
END {
  for (n = 1; n <= NR; n++) {
    line = ""
    for (i = 1; i <= columns; i++) {
      left = text[i] || !seen[i]
      line = line (i > 1 ? "  " : "") sprintf(left ? "%-" width[i] "s" : "%" width[i] "s", field[n, i])
    }
    sub(/ +$/, "", line)
    print line
  }
}'
