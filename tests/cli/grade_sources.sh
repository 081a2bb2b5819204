# sortie grade --sources: everybody's sources in clean folders, and nothing else.
. "$(dirname "$0")/lib.sh"

memory=${room:-2G}
has() { grep -qF -- "$3" "$2" && pass || fail "$1: $(cat "$2")"; }
mkdir -p class "class/Zoë  Ray; rm -rf" class/venv/venv/lib class/-dash class/same.py.d handed
mkdir -p class/ann/src class/ann/node_modules/left class/ann/.git class/ann/venv
printf 'int main(void) { return 0; }\n' >class/ann/src/main.c
printf 'common \r\nline\n' >class/ann/src/board.h
printf 'common\nline   \n' >handed/whatever.h
printf 'x = 1\n' >class/ann/node_modules/left/pad.js
printf 'x = 1\n' >class/ann/.git/hook.py
printf 'home = /usr\n' >class/ann/venv/pyvenv.cfg
printf 'x = 1\n' >class/ann/venv/site.py
printf '\177ELF\0\0' >class/ann/program
printf 'a\0b' >class/ann/binary.py
: >class/ann/empty.py
printf 'print(1)\n' >'class/Zoë  Ray; rm -rf/$(touch x).py'
printf 'print(2)\n' >class/-dash/.hidden.py
printf 'print(2)\n' >class/-dash/-rf.py
printf 'print(3)\n' >class/bob.py
mkdir -p class/'Zoë  Ray: rm -rf'
printf 'print(4)\n' >class/'Zoë  Ray: rm -rf'/a.py
printf 'hello\n' >class/same.py.d/notes.txt
rm -r class/venv
mkdir deep && printf 'print(5)\n' >deep/a.py
python3 - <<'END'
import zipfile
with zipfile.ZipFile("class/cleo.zip", "w") as archive:
    archive.writestr("cleo/deep/er/a.py", "print(5)\n")
    archive.writestr("../../outside.py", "print(6)\n")
    archive.writestr("/etc/outside.py", "print(7)\n")
END
head -c 3000 /dev/urandom >class/bad.zip
mkdir out # empty is as good as new
check "sources" sortie grade class --memory $memory --sources out --skeleton handed
find out -type f | LC_ALL=C sort >found
cat >wanted <<'END'
out/Zo__Ray__rm_-rf-2/a.py
out/Zo__Ray__rm_-rf/__touch_x_.py
out/_dash/_rf.py
out/ann/src/main.c
out/bob.py/bob.py
out/cleo/deep/er/a.py
END
sed -E 's/Zo_+Ray_+rm/Zo__Ray__rm/' found | sed -E 's|rm_-rf(-2)?/|rm_-rf\1/|' | LC_ALL=C sort >clean
sed -E 's/cleo\/cleo/cleo/' clean >clean2
grep -v Zo__ clean2 >a; grep -v Zo__ wanted >b
cmp -s a b && pass || fail "the files: $(diff b a)"
[ "$(grep -c Zo__ clean2)" -eq 2 ] && [ "$(grep Zo__ clean2 | cut -d/ -f2 | sort -u | wc -l)" -eq 2 ] && pass || fail "two of one clean name: $(cat found)"
find out -name '*outside*' | grep -q . && fail "an archive wrote outside" || pass
LC_ALL=C find . -path './out/*' -name '*[!A-Za-z0-9._-]*' | grep -q . && fail "odd names: $(find out)" || pass
has "an archive that is none" check.out "no sources: bad: what was handed in cannot be used"
has "no source" check.out "no sources: same.py.d: "
has "handed out" check.out "6 files of 6 submissions; 1 were like what was handed out"
refused "a folder with something in it" '^sortie: out: expected a new or empty folder$' sortie grade class --sources out
refused "no skeleton" '^sortie: nothing: ' sortie grade class --sources new --skeleton nothing
finish
