# A team that wants a shell with the rights of whoever runs the referee: it leaves one in the folder of the game by every way there
# is to set the bits, then plays on. Tried as an ordinary user, whose number programs have, and as root; looked at from another account.
. "$(dirname "$0")/lib.sh"
[ -z "${SORTIE_SANITIZE:-}" ] || exit 0 # a sanitizer needs more address space than programs get

chmod 755 .
mkdir bin team && cp "$SORTIE_BIN/sortie" bin/
cat >team/thief.py <<'END'
import ctypes, os, shutil
call = ctypes.CDLL(None, use_errno=True).syscall
shutil.copy("/bin/sh", "shell")
os.umask(0)
def tried(name, *arguments):
    try: arguments[0](*arguments[1:])
    except OSError as error: print(name, "refused:", error.strerror)
tried("chmod", os.chmod, "shell", 0o6755)
tried("open", os.open, "opened", os.O_CREAT | os.O_WRONLY, 0o6777)
tried("mknod", os.mknod, "node", 0o106777)
tried("mkdir", os.mkdir, "folder", 0o6777)
file = os.open("shell", os.O_RDONLY)
tried("fchmod", os.fchmod, file, 0o4755)
tried("attribute", os.setxattr, "shell", "user.note", b"x")
call(452, -100, b"shell", 0o6755, 0) # fchmodat2
call(437, -100, b"opened2", (ctypes.c_uint64 * 3)(os.O_CREAT | os.O_WRONLY, 0o6777, 0), 24) # openat2
try: os.link("/proc/self/fd/%d" % os.open(".", os.O_TMPFILE | os.O_WRONLY, 0o6777), "nameless", follow_symlinks=True)
except OSError: pass
# And what is no plain file.
os.mkdir("notes"); open("notes/one", "w").close(); os.link("notes/one", "notes/two")
os.mkfifo("pipe"); os.symlink("/etc/shadow", "link"); os.chmod("notes", 0)
print("tried")
END
echo 'python3 "${0%/*}/thief.py" && exec "$1" agent B --time 2 --nodes 300 --hash 1M' >team/play.sh

# play FOLDER COMMAND...: a game of the thief against an honest team, run by COMMAND.
play() {
    local folder=$1
    shift
    timeout 60 "$@" "$scratch/bin/sortie" referee A B --folder "$scratch/$folder" --first A --time 2 --pause 0.01 --launch \
        "$scratch/bin/sortie agent A --time 2 --nodes 300 --hash 1M" \
        "sh $scratch/team/play.sh $scratch/bin/sortie" >"$folder.out" 2>&1 ||
        fail "$folder: status $?: $(cat "$folder.out")"
    # It loses nothing else than its try.
    grep -qE '^END: (A WINS!  B|B WINS!  A) LOSES!  5 in a row!$|^END: TIE! board full!$' "$folder/end_game" &&
        grep -qx tried "$folder/B.log" && pass || fail "$folder: $(cat "$folder.out" "$folder/B.log")"
    [ "$(grep -c refused: "$folder/B.log")" -eq 6 ] && pass || fail "$folder: $(cat "$folder/B.log")"
    [ -z "$(find "$folder" -perm /6000)" ] && [ -s "$folder/shell" ] && pass || fail "$folder: $(ls -l "$folder")"
}

mkdir game
if [ "$(id -u)" -eq 0 ]; then
    teacher=$((54321 + $$ % 5000)) other=$((60321 + $$ % 5000))
    chown $teacher:$teacher game
    play game setpriv --reuid $teacher --regid $teacher --clear-groups env HOME=/nonexistent
    look=(setpriv --reuid $other --regid $other --clear-groups)
    [ "$("${look[@]}" "$scratch/game/shell" -p -c 'id -u')" = $other ] && pass || fail "another account got a shell"
    "${look[@]}" "$scratch/game/shell" -p -c ": >>$scratch/game/move_file" 2>/dev/null && fail "another account writes" || pass

    # As root everything goes to the owner of the folder: plain files with one name and folders, nothing else.
    mkdir given && chown $teacher:$teacher given
    play given env HOME=/root
    [ -z "$(find given -not -user $teacher -not -name game.sgf)" ] && [ -z "$(find given -not -type f -not -type d)" ] &&
        [ -z "$(find given -type f -links +1)" ] && [ "$(ls given/notes | wc -l)" -eq 1 ] && pass || fail "given: $(ls -lanR given)"
else
    play game env
fi

# A program that has the bits already could be changed by the teams.
mkdir before && cp /bin/true before/mine && chmod 4755 before/mine
refused "a folder with rights in it" "without set-user-id programs: mine" sortie referee A B --folder before --launch true true
finish
