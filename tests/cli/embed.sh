# libsortie inside another project: by add_subdirectory and by FetchContent it gives sortie::sortie and sortie::sortie_static,
# and neither programs, tests, generic target names nor files to install.
. "$(dirname "$0")/lib.sh"
if [ -n "$SORTIE_SANITIZE" ] || [ ! -e "$SORTIE_BIN/libsortie.so" ]; then
    echo "this build has no shared library"
    exit 0
fi
# Not the whole build again: plain code, without the copies for newer processors, is enough to see it work.
options="-DSORTIE_LEVELS=OFF -DCMAKE_BUILD_TYPE=None -DCMAKE_C_FLAGS=-O0"
outer() { # how sortie comes in
    cat <<END
cmake_minimum_required(VERSION 3.20)
project(outer C)
enable_testing()
$1
add_executable(outer main.c)
target_link_libraries(outer sortie::sortie)
add_executable(alone main.c)
target_link_libraries(alone sortie::sortie_static)
add_executable(sortie main.c) # a name of the outer project
add_custom_target(manual)
add_custom_target(programs)
install(TARGETS outer)
END
}
mkdir by_folder by_fetch
for folder in by_folder by_fetch; do
    cat >$folder/main.c <<'END'
#include <sortie/sortie.h>
#include <stdio.h>
int main(void) {
    sortie_position *position;
    if (sortie_position_start("war", NULL, &position, NULL) != SORTIE_OK) {
        return 1;
    }
    printf("%d actions\n", sortie_position_actions(position));
    sortie_position_free(position);
    return 0;
}
END
done
outer "add_subdirectory($SORTIE_SOURCE engine)" >by_folder/CMakeLists.txt
outer "include(FetchContent)
FetchContent_Declare(sortie SOURCE_DIR $SORTIE_SOURCE)
FetchContent_MakeAvailable(sortie)" >by_fetch/CMakeLists.txt
check "add_subdirectory configures" cmake -S by_folder -B by_folder/build -G Ninja $options
check "so does FetchContent" cmake -S by_fetch -B by_fetch/build -G Ninja $options
check "no tests of ours are in it" sh -c "ctest --test-dir by_folder/build -N | grep -qx 'Total Tests: 0'"
ninja -C by_folder/build -t targets all >targets 2>/dev/null
check "no programs of ours either" sh -c "! grep -qE '(pbrain|sortie-verify|sortie-task)' targets"
check "it builds" cmake --build by_folder/build --parallel 2 --target outer alone
same "with the shared library" <(echo "50 actions") <(by_folder/build/outer)
same "and with the static one" <(echo "50 actions") <(by_folder/build/alone)
sed -n '/^# Install/,$p' by_folder/build/engine/cmake_install.cmake >installed 2>/dev/null || true
check "and installs nothing" sh -c "! grep -q 'file(INSTALL' installed"
finish
