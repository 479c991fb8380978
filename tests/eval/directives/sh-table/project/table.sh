# Prints fields that are parted by tabs in columns: sh table.sh < FILE
awk -F '\t' '{ for (i = 1; i <= NF; i++) printf "%-8s", $i; print "" }'
