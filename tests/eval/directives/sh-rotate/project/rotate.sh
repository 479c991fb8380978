# Moves a log out of the way: sh rotate.sh FILE
mv $1 $1.1
