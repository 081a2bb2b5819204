# sortie solve where there is little memory: tables are made as small as they have to be, and the answers stay the same.
. "$(dirname "$0")/lib.sh"
[ -z "$SORTIE_SANITIZE" ] || exit 0 # sanitizers need terabytes of addresses

# solves NAME LINE: the first line, with 200 MB of addresses in all
solves() {
    (ulimit -v 200000 && timeout 60 sortie solve "$1.txt" >out 2>err)
    check "$1: $(head -c 200 err)" test "$(head -1 out)" = "$2"
}
printf 'war stake 2 X\n1 2\n3 4\n..\n..\n' >war2.txt
solves war2 'value  0 for X'
printf 'war stake 4 X\n3 1 4 1\n5 9 2 6\n5 3 5 8\n9 7 9 3\n....\n....\n....\n....\n' >war4.txt
solves war4 'value  4 for X'
printf 'laser 4 1\n0000\n0030\n0000\n0000\n' >laser4.txt
solves laser4 'value  4 for 1'
printf 'gomoku freestyle 15\nH8 A1 I8 A3 J8 O1 K8\n' >gomoku.txt
solves gomoku 'value  loss in 1 move for O'
finish
