# libsortie as other programs meet it: its symbols, its header in C and C++, installed, found by pkg-config and CMake,
# used by the examples, and taken away again without a trace.
. "$(dirname "$0")/lib.sh"
if [ -n "$SORTIE_SANITIZE" ] || [ ! -e "$SORTIE_BIN/libsortie.so" ]; then
    echo "this build has no shared library"
    exit 0
fi
golden=$SORTIE_SOURCE/tests/abi
export LC_ALL=C

nm -D --defined-only "$SORTIE_BIN/libsortie.so" | awk '{ print $3 }' | sort >shared
same "the shared library exports the API and nothing else" "$golden/symbols" shared
nm -g --defined-only "$SORTIE_BIN/libsortie.a" | awk 'NF == 3 { print $3 }' | sort >static
same "so does the static one" "$golden/symbols" static
grep -oE '^SORTIE_API [^(]*\(' "$SORTIE_SOURCE/include/sortie/sortie.h" | grep -oE 'sortie_[a-z_]+\($' | tr -d '(' |
    sort >declared
same "the header declares exactly these" "$golden/symbols" declared
check "the name is versioned" grep -q 'SONAME.*libsortie\.so\.[0-9]' <(readelf -d "$SORTIE_BIN/libsortie.so")

prefix=$scratch/prefix
check "install" cmake --install "$SORTIE_BIN" --prefix "$prefix"
cp "$SORTIE_BIN/install_manifest.txt" manifest
echo '#include <sortie/sortie.h>
int main(void) { sortie_limits limits = SORTIE_INIT(sortie_limits); return limits.size == sizeof limits ? 0 : 1; }' >use.c
check "the header is C11" cc -std=c11 -Wall -Wextra -Wpedantic -Werror "-I$prefix/include" use.c -o use
check "and works" ./use
if command -v c++ >/dev/null; then
    cp use.c use.cc
    check "the header is C++17" c++ -std=c++17 -Wall -Wextra -Wpedantic -Werror "-I$prefix/include" use.cc -o use
    check "and works there" ./use
fi

libdir=$(dirname "$(find "$prefix" -name libsortie.a)")
export PKG_CONFIG_PATH=$libdir/pkgconfig LD_LIBRARY_PATH=$libdir
printf '3\nALPHABETA\nX\n9\n12 70 61\n8 22 63\n14 88 49\n...\n...\n...\n' >input.txt
for example in bot analyser; do
    check "$example is built by pkg-config" \
        sh -c "cc -std=c11 -Wall -Werror $SORTIE_SOURCE/examples/$example.c \$(pkg-config --cflags --libs sortie) -o $example"
    check "$example is linked statically" \
        sh -c "cc $SORTIE_SOURCE/examples/$example.c $libdir/libsortie.a \$(pkg-config --cflags sortie) -pthread -lm -o $example-static"
done
for kind in "" -static; do
    printf 'H8\nnowhere\nA1\n' | "./bot$kind" gomoku 0.05 >moves 2>complaints
    check "the bot$kind answers two moves and sums up" test "$(wc -l <moves)" -eq 3
    check "the bot$kind refuses what is no move" grep -q '^bot: ' complaints
    "./analyser$kind" input.txt 2 5 >lines
    check "the analyser$kind finds the exact best move" grep -qE '^C2 Stake +169 exact' lines
    check "the analyser$kind prints two lines" test "$(wc -l <lines)" -eq 2
    "./analyser$kind" nowhere.txt >lines 2>complaints
    check "the analyser$kind says that there is no file" test $? -eq 2 -a ! -s lines
    check "in these words" grep -qx 'analyser: nowhere.txt: No such file or directory' complaints
done
check "a program built against older structs still works" \
    sh -c "cc $golden/oldprogram.c -L$libdir -lsortie -o old && ./old | grep -qx 'C2 Stake 169'"

# What a program has said about its streams, signals, locale and end stays as it is.
touches=' (signal|sigaction|sigprocmask|raise|kill|setlocale|newlocale|uselocale|v?printf|puts|putchar|std(in|out|err)'
touches+='|__v?printf_chk|perror|setenv|putenv|exit|_exit|abort|atexit|system|fork|chdir|umask)(@|$)'
# The checker of proofs writes into memory by fprintf and fputs, which reach no stream whose name is not asked for, and
# reads a head by sscanf, which it compares with what is written anew.
nm -D --undefined-only "$SORTIE_BIN/libsortie.so" >needed
check "the library touches no stream, signal or locale" sh -c "! grep -E '$touches' needed"
asks=' (strto[fd]|atof|v?f?scanf|__isoc99_v?f?scanf|__ctype_.*|localeconv|strn?casecmp|to(upp|low)er|strcoll)(@|$)'
nm -D --undefined-only "$SORTIE_BIN/libsortie.so" >needed
check "the library's needs are known" grep -q ' vsnprintf' needed
check "no function that asks the locale is used" sh -c "! grep -E '$asks' needed"
# In a program that asks for decimal commas everything stays as it is. Where the language is not installed, a copy of
# the neutral one with its point exchanged has what matters.
mkdir locales
if ! localedef -i de_DE -f UTF-8 --no-archive ./locales/de_DE.UTF-8 2>localedef.err; then
    rm -rf locales/de_DE.UTF-8
    cp -r /usr/lib/locale/C.utf8 locales/de_DE.UTF-8
    LC_ALL=C sed -i 's/\./,/g' locales/de_DE.UTF-8/LC_NUMERIC
fi
check "a program with a language is built" \
    sh -c "cc -std=c11 -Wall -Werror $golden/comma.c \$(pkg-config --cflags --libs sortie) -o comma"
check "it runs in the C locale" sh -c "./comma C . >point"
check "and with decimal commas" sh -c "LOCPATH=$scratch/locales LC_ALL= ./comma de_DE.UTF-8 , >comma.out"
check "it was answered" grep -qx 'stake, 10500 thousandths of a second' point
same "the library's numbers do not depend on the locale" point comma.out

mkdir project
printf 'cmake_minimum_required(VERSION 3.20)\nproject(user C)\nfind_package(sortie REQUIRED)\n%s\n%s\n' \
    "add_executable(user $SORTIE_SOURCE/examples/bot.c)" 'target_link_libraries(user sortie::sortie)' >project/CMakeLists.txt
check "CMake finds the package" cmake -S project -B project/build -DCMAKE_PREFIX_PATH="$prefix"
check "and builds with it" cmake --build project/build

module=$(dirname "$(find "$prefix" -path '*/sortie/__init__.py')")
check "python finds the library of its own prefix" env -u LD_LIBRARY_PATH PYTHONPATH="$(dirname "$module")" python3 -c \
    'import sortie; print(sortie.Engine().go(sortie.Position.start("laser"), nodes=100))'

check "uninstall" env DESTDIR= "$SORTIE_SOURCE/tools/uninstall.sh" manifest
check "nothing of ours is left" test -z "$(find "$prefix" -not -type d -o -name '*sortie*')"
finish
