# Cores: a certificate's hard moves, and the whole certificate made of them again, as it is checked.
. "$(dirname "$0")/lib.sh"

printf 'gomoku freestyle 15\nH8 A1 I8 A3 J8 O1 H9 O15\n' >win.txt
sortie prove win.txt -j1 -o win.proof >out
check "a core of a certificate" sortie prove --core win.proof -o win.core
sortie expand win.core >again.proof
check "it makes a certificate" test $? -eq 0
check "which is accepted" sortie verify again.proof
check "from a pipe" bash -c 'set -o pipefail; sortie expand win.core | sortie verify -'
check "a core is small" test "$(stat -c %s win.core)" -lt 1000
check "and into a file" sortie expand win.core -o file.proof
check "the same one" cmp again.proof file.proof
xz -c win.core >win.core.xz
check "out of a pipe" bash -c 'set -o pipefail; xz -dc win.core.xz | sortie expand - | cmp - again.proof'
sortie prove --core again.proof -o second.core >out
check "its own core is the same" cmp win.core second.core

# The villain to move in the head, and a position with hard moves.
printf 'gomoku freestyle 15\nH8 A1 H6\n' >bare.txt
timeout 300 sortie prove bare.txt -j1 --time 250 --claim loses -o bare.proof >out
sortie prove --core bare.proof -o bare.core >out
check "some moves are told" test "$(sed -n 's/^core .* bytes, \([0-9]*\) moves$/\1/p' out)" -gt 1
check "the whole is accepted" bash -c 'set -o pipefail; sortie expand bare.core | sortie verify - | grep -q "O to move: X wins"'

# What is no core, or a damaged one: one line, and nothing in place of what is there.
echo yesterday >kept.proof
refused "no core" 'win.txt:1:1: expected a core' sortie expand win.txt -o kept.proof
head -c 200 bare.core >half.core
refused "half a head" 'half.core:.*expected' sortie expand half.core -o kept.proof
head -c -9 bare.core >cut.core
refused "an end that is missing" 'cut.core: damaged' sortie expand cut.core -o kept.proof
sed 's/^claim X wins/claim O wins/' bare.core >other.core
refused "another claim" 'other.core: damaged' sortie expand other.core -o kept.proof
sed 's/^proof .*/proof 12/' bare.core >line.core
refused "a line that is not whole" "line.core:20:1: expected 'proof'" sortie expand line.core -o kept.proof
check "what was there stays" test "$(cat kept.proof)" = yesterday
refused "a core of no certificate" 'win.txt: expected a certificate' sortie prove --core win.txt -o none.core
refused "a core that goes nowhere" 'needs --output' sortie prove --core win.proof
refused "nothing to expand" 'expected a core' sortie expand
refused "no such file" 'none.core' sortie expand none.core

# With the digests right a core that says something else is refused, or what it makes is.
python3 - <<'END'
def crc(data):
    value = 2**64 - 1
    for byte in data:
        value ^= byte
        for _ in range(8):
            value = value >> 1 ^ (0xC96C5795D7870F42 if value & 1 else 0)
    return (value ^ 2**64 - 1).to_bytes(8, 'little')
core = open('bare.core', 'rb').read()[:-8]
body = core.index(b'\nproof ') + core[core.index(b'\nproof ') + 1:].index(b'\n') + 2
changed = 0
for at in range(body, len(core), max(1, (len(core) - body) // 12)):
    other = core[:at] + bytes([core[at] ^ 5]) + core[at + 1:]
    open(f'changed{changed}.core', 'wb').write(other + crc(other))
    changed += 1
END
wrong=0
for core in changed*.core; do
    timeout 60 sortie expand "$core" -o changed.proof >out 2>err
    [ $? -eq 2 ] && [ "$(wc -l <err)" -eq 1 ] || wrong=$((wrong + 1))
done
check "cores with a changed byte" test $wrong -eq 0
finish
