# Bad input: one line with file, line, column and what was expected, exit status 2, old output files untouched.
. "$(dirname "$0")/lib.sh"

echo old >output.txt
echo old >next_state.txt
echo old >traverse_log.txt
echo old >trace_state.txt

# stake NAME PATTERN CONTENT: as input.txt, through move and through the course-shaped program.
stake() {
    printf -- "$3" >input.txt
    refused "$1" "^sortie: input.txt:$2" sortie move
    refused "$1 (sortie-course)" "^sortie: input.txt:$2" sortie-course
}
good='2\nMINIMAX\nX\n2\n3 1\n2 5\n..\n.O\n'

stake "UTF-16" '1:1: expected .*found text in UTF-16' '\xff\xfe2\0'
stake "a blank that is none between values" "5:1: expected value 1 of 2, a positive integer, found '3' and byte 0xe2" \
    '2\nMINIMAX\nX\n2\n3\xe2\x80\x831\n2 5\n..\n.O\n'
stake "a non-breaking blank on the board" '7:2: .*found a non-breaking blank' '2\nMINIMAX\nX\n2\n3 1\n2 5\n.\xc2\xa0.\n.O\n'
printf -- "$good" >input.txt
sortie move --stdout >plain.out
printf -- "\xef\xbb\xbf${good// /$'\xc2\xa0'}" >input.txt
check "a UTF-8 mark and non-breaking blanks are read" sortie move --stdout
same "and change nothing" plain.out check.out
stake "empty file" '1:1: .*empty' ''
stake "blank line only" '1:1: expected' '\n'
stake "N = 0" '1:1: expected the board size' '0\nMINIMAX\nX\n1\n'
stake "N = 27" '1:1: expected the board size' '27\nMINIMAX\nX\n1\n'
stake "N negative" '1:1: expected' '-3\nMINIMAX\nX\n1\n'
stake "N with a tail" '1:1: expected the board size' '3x\nMINIMAX\nX\n1\n'
stake "two numbers in line 1" '1:3: expected the end of the line' '2 2\nMINIMAX\nX\n2\n3 1\n2 5\n..\n.O\n'
stake "N too large for the rows" '7:1: expected row 3 of the values|7:1: expected value 1 of 3|5:4: expected value 3 of 3' '3\nMINIMAX\nX\n2\n3 1\n2 5\n..\n.O\n'
stake "N too small for the rows" '5:3: expected the end of the line after 1 values' '1\nMINIMAX\nX\n2\n3 1\n2 5\n..\n.O\n'
stake "only N" '2:1: expected the mode.*end of the file' '2\n'
stake "unknown mode" "2:1: expected the mode MINIMAX, ALPHABETA or COMPETITION, found 'MAXIMIN'" '2\nMAXIMIN\nX\n2\n3 1\n2 5\n..\n.O\n'
stake "mode in lower case" '2:1: expected the mode' '2\nminimax\nX\n2\n3 1\n2 5\n..\n.O\n'
stake "unknown side" "3:1: expected the side to play, X or O, found 'Z'" '2\nMINIMAX\nZ\n2\n3 1\n2 5\n..\n.O\n'
stake "depth 0" "4:1: expected the depth, 1 or more, found '0'" '2\nMINIMAX\nX\n0\n3 1\n2 5\n..\n.O\n'
stake "depth negative" '4:1: expected the depth' '2\nALPHABETA\nX\n-1\n3 1\n2 5\n..\n.O\n'
stake "depth not a number" '4:1: expected the depth' '2\nALPHABETA\nX\ntwo\n3 1\n2 5\n..\n.O\n'
stake "depth overflows" '4:1: expected the depth' '2\nALPHABETA\nX\n99999999999999999999\n3 1\n2 5\n..\n.O\n'
stake "no CPU seconds" '4:1: expected the CPU seconds left' '2\nCOMPETITION\nX\nsoon\n3 1\n2 5\n..\n.O\n'
stake "CPU seconds negative" '4:1: expected the CPU seconds left' '2\nCOMPETITION\nX\n-5\n3 1\n2 5\n..\n.O\n'
stake "CPU seconds nan" '4:1: expected the CPU seconds left' '2\nCOMPETITION\nX\nnan\n3 1\n2 5\n..\n.O\n'
stake "CPU seconds infinite" '4:1: expected the CPU seconds left' '2\nCOMPETITION\nX\n1e999\n3 1\n2 5\n..\n.O\n'
stake "value 0" "5:3: expected value 2 of 2, a positive integer, found '0'" '2\nMINIMAX\nX\n2\n3 0\n2 5\n..\n.O\n'
stake "value negative" '6:1: expected value 1 of 2, a positive integer' '2\nMINIMAX\nX\n2\n3 1\n-2 5\n..\n.O\n'
stake "value not a number" '6:3: expected value 2 of 2' '2\nMINIMAX\nX\n2\n3 1\n2 five\n..\n.O\n'
stake "value a fraction" '6:3: expected value 2 of 2' '2\nMINIMAX\nX\n2\n3 1\n2 5.5\n..\n.O\n'
stake "value overflows" '5:1: expected value 1 of 2' '2\nMINIMAX\nX\n2\n99999999999999999999999 1\n2 5\n..\n.O\n'
stake "value overflows 32 bits" '5:1: expected value 1 of 2' '2\nMINIMAX\nX\n2\n4294967297 1\n2 5\n..\n.O\n'
stake "values overflow together" '5:11: expected values that add up' '2\nMINIMAX\nX\n2\n999999999 999999999\n2 5\n..\n.O\n'
stake "missing value" '6:2: expected value 2 of 2.*end of the line' '2\nMINIMAX\nX\n2\n3 1\n2\n..\n.O\n'
stake "extra value" '6:5: expected the end of the line' '2\nMINIMAX\nX\n2\n3 1\n2 5 7\n..\n.O\n'
stake "missing row of values" '6:1: expected value 1 of 2' '2\nMINIMAX\nX\n2\n3 1\n..\n.O\n'
stake "missing row of board" '8:1: expected row 2 of the board.*end of the file' '2\nMINIMAX\nX\n2\n3 1\n2 5\n..\n'
stake "extra row of board" "9:1: expected the end of the file, found '..'" '2\nMINIMAX\nX\n2\n3 1\n2 5\n..\n.O\n..\n'
stake "wrong board character" "7:2: expected X, O or ., .*found '\\*'|7:2: expected X, O or . .*found '\\*'" '2\nMINIMAX\nX\n2\n3 1\n2 5\n.*\n.O\n'
stake "board row too short" '7:2: expected X, O or \.' '2\nMINIMAX\nX\n2\n3 1\n2 5\n.\n.O\n'
stake "board row too long" '8:3: expected the end of the line after 2 squares' '2\nMINIMAX\nX\n2\n3 1\n2 5\n..\n.O.\n'
stake "full board" '8:1: expected a position with a move left' '2\nMINIMAX\nX\n2\n3 1\n2 5\nXX\nOO\n'
stake "zero bytes" '1:1: expected' '\000\000\000\000'
stake "other text" "1:1: expected .*found 'hello'" 'hello world\n'

head -c 4096 /dev/urandom >input.txt
refused "noise" '^sortie: input.txt(:[0-9]+:[0-9]+)?: expected' sortie move
truncate -s 1G input.txt
refused "1 GB of zeros" '^sortie: input.txt:1:1: expected a file of at most' sortie move
rm input.txt
refused "no file" '^sortie: input.txt: cannot be read' sortie move
mkdir input.txt
refused "a folder" '^sortie: input.txt: expected a file, this is a folder' sortie move
rmdir input.txt
if [ "$(id -u)" -ne 0 ]; then
    printf -- "$good" >input.txt
    chmod 000 input.txt
    refused "unreadable" '^sortie: input.txt: cannot be read' sortie move
    chmod 644 input.txt
fi

# sneak NAME PATTERN CONTENT: through the program called with -i
rows='1 1 1 1 1\n1 1 1 1 1\n1 1 1 1 1\n1 1 1 1 1\n1 1 1 1 1\n'
board='*****\n*****\n*****\n*****\n*****\n'
sneak() {
    printf -- "$3" >task.txt
    refused "$1" "^sortie: task.txt:$2" sortie-task -i task.txt
    refused "$1 (move)" "^sortie: task.txt:$2" sortie move -i task.txt
}
sneak "task 5" "1:1: expected the task" "5\nX\n2\n$rows$board"
sneak "task 0" "1:1: expected the task" "0\nX\n2\n$rows$board"
sneak "player Q" "2:1: expected the side to play, X or O, found 'Q'" "1\nQ\n2\n$rows$board"
sneak "cut-off 0" "3:1: expected the cut-off depth" "2\nX\n0\n$rows$board"
sneak "a dot on the board" "9:1: expected X, O or \\*" "2\nX\n2\n$rows.****\n*****\n*****\n*****\n*****\n"
sneak "four rows" "13:1: expected row 5 of the board" "2\nX\n2\n$rows*****\n*****\n*****\n*****\n"
sneak "six rows" "14:1: expected the end of the file" "2\nX\n2\n$rows$board*****\n"
sneak "full board" "13:1: expected a position with a move left" "2\nX\n2\n${rows}XXXXX\nOOOOO\nXXXXX\nOOOOO\nXXXXX\n"
sneak "battle of one player" "5:1: expected the other player" "4\nX\n2\n2\nX\n2\n2\n$rows$board"
sneak "battle with algorithm 4" "3:1: expected the algorithm" "4\nX\n4\n2\nO\n2\n2\n$rows$board"

for file in output.txt next_state.txt traverse_log.txt trace_state.txt; do
    if [ "$(cat $file)" = old ]; then pass; else fail "$file was touched"; fi
done

# where it cannot be written
printf -- "$good" >input.txt
rm output.txt
refused "missing folder" '^sortie: nowhere/answer.txt: cannot be written' sortie move -o nowhere/answer.txt
mkdir output.txt
refused "the answer is a folder" '^sortie: output.txt: cannot be written: it is a folder' sortie move
rmdir output.txt

# usage
refused "unknown command" "expected a command, found 'fly'" sortie fly
refused "unknown option" "unknown option --fast" sortie move --fast
refused "option without its value" "expected FILE after -i" sortie move -i
refused "unknown format" "unknown format 'chess'" sortie move --format chess
refused "depth 0 on the command line" "expected a whole number of 1" sortie move --depth 0
refused "time 0 on the command line" "expected a positive number of seconds" sortie move --time 0
refused "two files" "expected one file" sortie move input.txt task.txt
refused "arguments to sortie-course" "takes no arguments" sortie-course input.txt
refused "no -i for sortie-task" "usage: .* -i input_file" sortie-task
refused "wrong format forced" "^sortie: input.txt:2:1: expected the side to play|^sortie: input.txt:[0-9]+:[0-9]+: expected" sortie move --format sneak

# what is accepted
printf '2\r\nMINIMAX \r\nX\t\r\n2  \r\n3  1\r\n 2 5 \r\n.. \r\n.O\r\n\r\n  \r\n\n' >input.txt
check "CRLF, trailing blanks, blank lines at the end" sortie move
printf -- "$good" | head -c -1 >input.txt
check "no newline at the end" sortie move
printf '2\nCOMPETITION\nX\n0.01\n300 1000\n2 5\n..\n.O\n' >input.txt
check "values above 99, and no time" sortie move
printf '2\nCOMPETITION\nX\n0\n3 1\n2 5\n..\n.O\n' >input.txt
check "no second left" sortie move
finish
