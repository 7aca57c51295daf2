#!/bin/sh
# The library, as `make install-library` leaves it: muster/team.clh compiles alone as every OpenCL C, and programs that know
# nothing but what is installed synchronise, reduce, and get a report of a deadlock and of a kernel that lies. In `make check`
# with two workers, and in `make check-long` with one and with four, too.
. "$srcdir/tests/tap.inc"
need_pocl
in_full 0 || compile_unoptimised
builddir=$(dirname "$MUSTER")
! grep -q '^MU_LDFLAGS = .*\(sanitize\|coverage\)' "$builddir/Makefile" || skip_all 'built for sanitizers or coverage'
command -v pkg-config >"$folder/found" || skip_all 'there is no pkg-config'

usr=$folder/usr
check 'make install-library' env -u MAKEFLAGS -u MFLAGS make -C "$builddir" -s install-library prefix="$usr" DESTDIR=
PKG_CONFIG_PATH=$usr/lib/pkgconfig
LD_LIBRARY_PATH=$usr/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export PKG_CONFIG_PATH LD_LIBRARY_PATH
cp -R "$srcdir/examples" "$srcdir/tests/variants/library" "$folder/" && chmod -R u+w "$folder/examples" "$folder/library"
cd "$folder" || exit 99

# ---- What is installed ----

only_ours() {
    nm -g --defined-only usr/lib/libmuster-team.a | sed -n 's/.* [A-Z] //p' | sort >static
    nm -D --defined-only usr/lib/libmuster-team.so | sed -n 's/.* T \(.*\)@@MUSTER_TEAM_0$/\1/p' | sort >shared
    sed -n 's/^ *\(mu_team_[a-z]*\);$/\1/p' "$srcdir/variants/library/muster-team.map" | sort >wanted
    diff -u wanted static && diff -u wanted shared && grep -o 'mu_team_[a-z]*(' usr/include/muster/team.h | tr -d '(' | sort -u |
        diff -u wanted -
}
check 'the libraries have the names of muster/team.h and no others' only_ours
no_more() {
    ldd usr/lib/libmuster-team.so >libraries
    ! grep -E 'gsl|jansson|inih|qhull|lzma|bz2|zstd' libraries
}
check 'it needs the OpenCL loader, and nothing that the program muster needs beside' no_more
check 'it has the version of the package' [ "$(pkg-config --modversion muster-team)" = \
    "$(sed -n 's/^VERSION = //p' "$builddir/Makefile")" ]

header_version() {
    has usr/include/muster/team.h "#define MU_TEAM_VERSION \"$(pkg-config --modversion muster-team)\""
}
check '… and so has the header' header_version
# What programs have compiled in. A change that this test finds breaks them: it needs another symbol version, and before
# 1.0.0 a line in NEWS.
interface() {
    # shellcheck disable=SC2046 # flags are words
    ${CC:-cc} -std=c99 -o abi library/abi.c $(pkg-config --cflags muster-team) && {
        ./abi
        nm -D --defined-only usr/lib/libmuster-team.so | sed -n 's/^[0-9a-f]* T /symbol /p' | sort
    } >abi.txt && diff -u library/abi.txt abi.txt
}
# The header in the newest C that the compiler knows, in which more words are the language's own.
newest() {
    echo '#include <muster/team.h>' >newest.c
    # shellcheck disable=SC2046 # flags are words
    ${CC:-cc} "-std=$1" -Wall -Wextra -Wpedantic -Werror -fsyntax-only $(pkg-config --cflags muster-team) newest.c
}
for year in gnu23 gnu2x; do
    ! ${CC:-cc} "-std=$year" -x c -fsyntax-only /dev/null 2>/dev/null || break
done
check "the header is $year" newest "$year"
if [ "$(getconf LONG_BIT)" = 64 ]; then
    check 'the binary interface is the one that is written down' interface
else
    skip 'the binary interface is the one that is written down' 'that is of 64 bits'
fi
members() {
    sed -n '/^struct mu_team_[a-z]* {$/,/^};$/s/^    [a-z0-9_]* \([a-z_]*\)\(\[[0-9]*\]\)*;.*/\1/p' usr/include/muster/team.h | sort -u >members
    sed -n 's/^member .*\.\([a-z_]*\) .*/\1/p' library/abi.txt | sort -u | diff -u members -
}
check '… and has all members of the structs' members
# The same by abidiff, which reads what the compiler says of every function's parameters. BLESS=1 writes the file anew.
same_abi() {
    [ -z "${BLESS:-}" ] || abidw --suppressions library/opaque.supp --no-show-locs --no-corpus-path --no-comp-dir-path \
        --no-elf-needed --type-id-style hash --exported-interfaces-only usr/lib/libmuster-team.so.0 \
        >"$srcdir/tests/variants/library/libmuster-team.abi"
    abidiff --suppressions library/opaque.supp "${1:-$srcdir/tests/variants/library/libmuster-team.abi}" usr/lib/libmuster-team.so.0
}
changed_abi() {
    sed "s/\(layout-offset-in-bits=\)'32'/\1'64'/" library/libmuster-team.abi >changed.abi
    ! cmp -s changed.abi library/libmuster-team.abi && ! same_abi changed.abi
}
if ! command -v abidiff >found; then
    no_abidiff='there is no abidiff (Debian package abigail-tools)'
elif [ "$(uname -m)" != x86_64 ]; then
    no_abidiff='the file is of x86_64'
elif ! readelf -S usr/lib/libmuster-team.so.0 | grep -q '\.debug_info'; then
    no_abidiff='the library is built without -g'
else
    no_abidiff=
fi
if [ -z "$no_abidiff" ]; then
    check 'abidiff finds no change of the interface' same_abi
    check '… and would' changed_abi
else
    skip 'abidiff finds no change of the interface' "$no_abidiff"
fi
manual() {
    [ -s usr/share/man/man3/muster-team.3 ] && sed -n 's/^ *\(mu_team_[a-z]*\);$/\1/p' "$srcdir/variants/library/muster-team.map" |
        while read -r name; do has usr/share/man/man3/muster-team.3 ".Fn $name " || return 1; done &&
        grep -o 'MU_TEAM_[A-Z_]* = ' usr/include/muster/team.h | sed 's/ = //' |
        while read -r name; do has usr/share/man/man3/muster-team.3 "Dv $name" || return 1; done
}
check 'the man page has every function and every status' manual
if command -v mandoc >found; then
    no_complaints() {
        ! mandoc -Tlint usr/share/man/man3/muster-team.3 2>&1 | grep -v 'mandoc\.db\|referenced manual not found'
    }
    check 'mandoc has no complaints about it' no_complaints
else
    skip 'mandoc has no complaints about it' 'there is no mandoc'
fi

# The blocks of C that doc/library.md shows: a kernel, two parts of a host's program, and a queue in a kernel.
awk '/^```/ { inside = /^```c$/; number += inside; next } inside { print >("block." number) }' "$srcdir/doc/library.md"
check 'each block of C of doc/library.md is compiled here' [ "$(echo block.*)" = 'block.1 block.2 block.3 block.4' ]
# shown_host EDIT: the host's parts, with what they speak of.
shown_host() {
    {
        printf '#include <stdio.h>\n'
        grep '^#include' block.2
        printf '%s\n' 'int shown(cl_context, cl_command_queue, cl_device_id, cl_kernel, const char *);' \
            'int shown(cl_context context, cl_command_queue queue, cl_device_id device, cl_kernel kernel, const char *average_source)' \
            '{' 'cl_int status;'
        grep -v '^#include' block.2
        cat block.3
        printf '%s\n' 'mu_team_free(team);' 'clReleaseProgram(program);' 'return status == CL_SUCCESS;' '}'
    } | sed "$1" >shown.c
    # shellcheck disable=SC2086 # words
    ${CC:-cc} -std=c11 -Wall -Wextra -Werror -DCL_TARGET_OPENCL_VERSION=120 -fsyntax-only -I"$usr/include" shown.c
}
check "… the host's parts" shown_host ''
wrong_host() {
    ! shown_host 's/report\.expected/report.expects/'
}
check '… and would not be if they were wrong' wrong_host

# The header with the kernels that doc/library.md shows, nothing else.
write_alone() {
    {
        echo '#include <muster/team.clh>'
        cat block.1
        printf '%s\n' '#if defined(MU_TEAM_QUEUE_RING) || defined(MU_TEAM_QUEUE_STEAL) || defined(MU_TEAM_QUEUE_LOCKED)' \
            'MU_KERNEL void items(__global uint *words, const uint slots, __global uint *value, MU_TEAM_PARAMETERS)' '{' \
            'MU_TEAM_BEGIN;'
        cat block.4
        printf '%s\n' 'MU_TEAM_END;' '}' '#endif'
    } >alone.cl
    has alone.cl 'MU_KERNEL void average' 'MU_TEAM_END' 'mu_team_take'
}
clang=$(for name in clang clang-14 clang-15 clang-16 clang-19; do command -v $name && break; done)
# alone STANDARD OPTION...: Clang declares what OpenCL C 3.0 has by what the target has: everything.
alone() {
    standard=$1
    shift
    write_alone &&
        "$clang" -x cl -cl-std="$standard" "$@" -Xclang -finclude-default-header -fsyntax-only -Wall -Wextra -Wno-unused \
            -Wno-unused-parameter -Werror -I"$usr/include" -DMU_WORKGROUP=64 -DMU_SPIN_LIMIT=1000u alone.cl
}
# The same with a queue, for a compiler that has the halves of a workgroup's barrier.
with_queue() {
    alone "$@" -Dcl_intel_split_work_group_barrier '-Dintel_work_group_barrier_arrive(flags)=((void)(flags))' \
        -Dintel_work_group_barrier_wait=barrier
}
if [ -z "$clang" ]; then
    skip 'muster/team.clh alone' 'there is no Clang'
else
    for join in -DMU_SPECIALISED -DMU_BARRIER_TREE; do
        check "muster/team.clh alone, CL1.2, $join" alone CL1.2 --target=spir64 -DMU_ATOMICS_FENCES $join
        check "muster/team.clh alone, CL2.0, $join" alone CL2.0 --target=spir64 -DMU_ATOMICS_C11 -DMU_CHUNKS $join
        check "muster/team.clh alone, CL3.0, $join" alone CL3.0 --target=spir64 -Xclang -cl-ext=+all -DMU_ATOMICS_C11 $join
        check "muster/team.clh alone, PTX, $join" alone CL3.0 --target=nvptx64-nvidia-cuda -Xclang -cl-ext=+all \
            -DMU_ATOMICS_PTX -DMU_PTX -DMU_HAS_DOUBLE $join
    done
    for kind in RING STEAL LOCKED; do
        check "… with queue $kind, CL1.2" with_queue CL1.2 --target=spir64 -DMU_ATOMICS_FENCES "-DMU_TEAM_QUEUE_$kind"
        check "… with queue $kind, CL3.0" with_queue CL3.0 --target=spir64 -Xclang -cl-ext=+all -DMU_ATOMICS_C11 \
            "-DMU_TEAM_QUEUE_$kind"
    done
    no_atomics() {
        ! alone CL1.2 --target=spir64 2>err && has err 'define MU_ATOMICS_C11'
    }
    check '… but not without a choice of atomics' no_atomics
fi

# The compilers of the drivers that are here: PoCL's, and Oclgrind's.
# built_alone OPTION...: and in the order of arguments, by every driver that `of` says.
built_alone() {
    write_alone && ${CC:-cc} -std=c99 -Wall -Wextra -Werror -o alone library/alone.c -lOpenCL &&
        $of ./alone alone.cl "-cl-std=CL1.2 -Werror -I$usr/include -DMU_WORKGROUP=64 -DMU_SPIN_LIMIT=1000u -DMU_ATOMICS_FENCES $*"
}
of=
check 'muster/team.clh alone, -cl-std=CL1.2 -Werror, by the drivers that are here' built_alone -DMU_TEAM_QUEUE_STEAL
if in_full 4; then
    check '… specialised, with a queue without locks' built_alone -DMU_SPECIALISED -DMU_TEAM_QUEUE_RING
    check '… for large teams, with a queue under a lock' built_alone -DMU_BARRIER_TREE -DMU_TEAM_QUEUE_LOCKED
    check '… and for CPUs' built_alone -DMU_CHUNKS
    of=${OCLGRIND:-}
    if [ -n "$of" ]; then check '… and by Oclgrind' built_alone; else skip '… and by Oclgrind' 'there is no Oclgrind'; fi
fi

# ---- Programs that have the installed library ----

# compile NAME SOURCE [FLAG...]
compile() {
    name=$1
    shift
    # shellcheck disable=SC2046,SC2086 # flags are words
    ${CC:-cc} -std=c99 -Wall -Wextra -Werror -o "$name" "$@" $(pkg-config --cflags --libs muster-team) -lm
}
check 'a program compiles by pkg-config' compile use library/use.c
check 'one with the halves of barriers and a queue does' compile beside library/beside.c
check 'the example stencil does' compile stencil examples/stencil.c
check 'the example bfs does' compile bfs examples/bfs.c
check 'the example network does' compile network examples/network.c
echo '#include <CL/opencl.hpp>' >bindings.cpp
if ! command -v "${CXX:-c++}" >found; then
    cxx='there is no C++ compiler'
elif ! "${CXX:-c++}" -std=c++14 -DCL_HPP_TARGET_OPENCL_VERSION=120 -DCL_HPP_MINIMUM_OPENCL_VERSION=120 \
    -fsyntax-only bindings.cpp >found 2>&1; then
    cxx='there are no C++ bindings (Debian package opencl-clhpp-headers)'
else
    cxx=yes
fi
average() {
    # shellcheck disable=SC2046,SC2086 # flags are words
    "${CXX:-c++}" -std=c++14 -Wall -Wextra -o average examples/average.cpp $(pkg-config --cflags --libs muster-team) &&
        workers 2 ./average && has "$folder/check.log" '100 barriers'
}
if ! in_full; then
    :
elif [ "$cxx" = yes ]; then
    check 'a C++ host comes to the host'"'"'s result' average
else
    skip 'a C++ host' "$cxx"
fi
static() {
    # shellcheck disable=SC2046,SC2086 # flags are words
    ${CC:-cc} -std=c99 -o use-static library/use.c $(pkg-config --cflags muster-team) usr/lib/libmuster-team.a -lOpenCL
}
check 'a program links the static library' static

# computes NAME WORKERS: what it says is kept for library-factor, below.
computes() {
    workers "$2" "./$1" >"$1.$2.said" || { cat "$1.$2.said"; return 1; }
}
searches() {
    workers "$1" ./bfs >searched && has searched " of $1 workgroups"
}
for size in 1 2 4; do
    [ $size = 2 ] || in_full 5 || continue
    if [ "$(pocl_has compute_units "$size")" != "$size" ]; then
        skip "$size workers" "PoCL cannot be given as many"
        continue
    fi
    check "$size workgroups synchronise and reduce" workers "$size" ./use "$size" 2000000000 ok
    if in_full; then check "breadth-first search comes to the host's result, and expects a team of $size" searches "$size"; fi
    # Two that compute for seconds: each with two of the sizes.
    if [ $size != 4 ] && in_full; then check "the stencil's solver does with $size workers" computes stencil "$size"; fi
    if [ $size != 1 ] && in_full; then check "a recurrent network does with $size workers" computes network "$size"; fi
done
# As users' compilers make them: what ran above, and a step beside a barrier.
if [ "$(pocl_has compute_units 2)" = 2 ]; then
    if in_full; then check 'work beside a barrier' workers 2 ./beside halves small 2 '' 0 ''; fi
    compile_unoptimised
    check '… statically linked' workers 2 ./use-static 2 2000000000 ok
    check 'three workgroups on two workers: a report of the deadlock' workers 2 ./use 3 3000000 deadlock
    check "a runtime's own barrier is refused where there is none" workers 2 ./beside halves native 2 '' -2 'does not report'
    check 'a work queue with stealing' workers 2 ./beside flow small 2 -DMU_TEAM_QUEUE_STEAL 0 ''
    if in_full 9; then
        check 'an item that is never done is reported' workers 2 ./beside flow small 2 '-DMU_TEAM_QUEUE_RING -DLOST=5' -9 'waited for work'
        check 'a rank that crossed other barriers is found out' workers 2 ./use 2 2000000000 wrong
        check 'work beside a barrier of a large team' workers 2 ./beside halves large 2 '' 0 ''
        check 'a queue without locks' workers 2 ./beside flow small 2 -DMU_TEAM_QUEUE_RING 0 ''
        check '… of a large team' workers 2 ./beside flow large 2 -DMU_TEAM_QUEUE_RING 0 ''
        check 'a queue under a lock' workers 2 ./beside flow small 2 -DMU_TEAM_QUEUE_LOCKED 0 ''
        check 'a queue of a team of one' workers 1 ./beside flow small 1 -DMU_TEAM_QUEUE_STEAL 0 ''
        check 'a queue without room is reported' workers 2 ./beside flow small 2 '-DMU_TEAM_QUEUE_RING -DSLOTS=2' -6 'found work queue 0 full'
        check 'work beside a barrier for three groups on two workers' workers 2 ./beside halves small 3 '' -9 'waited at barrier 1 on line 14'
    fi
fi

compile_unoptimised

# ---- The self-test in a process of its own ----

trust_program() {
    { echo '#!/bin/sh'; echo "$1"; } >helper
    chmod +x helper
}
# trusts STATUS PART [again]: what mu_team_trust says with that helper; ./use tells when it is not what it wants. No verdict
# is known from before, or counts.
trusts() {
    MUSTER_TEAM_HELPER=$folder/helper MUSTER_TEAM_TRUST=${3-again} workers 2 ./use 2 2000000000 ok >said.txt
    [ $? -eq "$1" ] && has said.txt "$2"
}
trust_program 'kill -SEGV $$'
check 'a self-test that crashes is a message, and the program lives' trusts 1 'trust: the self-test was killed by signal 11'
trust_program 'echo no such barrier; exit 1'
check '… one that finds something says what' trusts 1 'trust: no such barrier'
trust_program 'exit 0'
check '… and one that finds nothing is believed' trusts 0 'ok: 0 '
check 'the helper is installed, and is not for the command line' sh -c '! usr/lib/muster-team/trust >said.txt &&
    grep "not for the command line" said.txt'
really_called() {
    trust_program "echo \"\$@\" >>'$folder/called'; exec '$usr/lib/muster-team/trust' \"\$@\""
    trusts 0 'ok: 0 ' && [ "$(wc -l <called)" -eq 1 ] && grep '^0 0 16 2 2 ' called
}
check 'it gets the device and the settings, once' really_called
# What is known from before: the helper is called once, and again where another device or kernel is meant.
keeps() {
    rm -f called
    XDG_CACHE_HOME=$folder/verdicts
    export XDG_CACHE_HOME
    trust_program "echo >>'$folder/called'; exit 1"
    trusts 1 '' '' && trusts 1 '' '' && [ "$(wc -l <called)" -eq 2 ] || { echo 'a refusal is kept'; return 1; }
    trust_program "echo >>'$folder/called'; exec '$usr/lib/muster-team/trust' \"\$@\""
    trusts 0 'ok: 0 ' '' && trusts 0 'ok: 0 ' '' && [ "$(wc -l <called)" -eq 3 ] || { echo 'trust is not kept'; return 1; }
    trusts 0 'ok: 0 ' again && [ "$(wc -l <called)" -eq 4 ] || { echo 'it is not asked again'; return 1; }
    MUSTER_TEAM_HELPER=$folder/helper workers 2 ./use 1 2000000000 ok && [ "$(wc -l <called)" -eq 5 ] ||
        { echo 'one workgroup is taken for two'; return 1; }
    chmod go+w verdicts/muster
    trusts 0 'ok: 0 ' '' && [ "$(wc -l <called)" -eq 6 ] || { echo 'a folder that others write to is believed'; return 1; }
}
check 'trust is kept on disk, refusal is not' keeps
unset XDG_CACHE_HOME
check '… or is not asked, for MUSTER_TEAM_TRUST=here' env MUSTER_TEAM_TRUST=here sh -c 'rm -f called; "$@" && [ ! -f called ]' \
    sh env MUSTER_TEAM_HELPER="$folder/helper" ./use 1 2000000000 ok

# ---- One launch a round, against the barrier ----

# A chip whose barrier takes 1000 ns (of teams of 4096, 9000) and whose launches take 4000, with a read-back 14000.
mkdir -p "$MUSTER_RESULTS/one"
measured() {
    printf '{%s,"ns":[%s],"schema":4,"kind":"probe","parameters":{"experiment":"%s","workgroup":256},"outcome":"ok",' "$1" "$2" "$3"
    printf '"part":%s,"parts":2,"chip":"one","driver":"1","date":"2026-11-20T17:57:31Z"}\n' "$4"
}
{
    measured '"barrier":"counter","team":128' 900,1000,1100 barrier 0
    measured '"barrier":"counter","team":4096' 9000 barrier 1
    measured '"implementation":"pipelined"' 4000 launch 0
    measured '"implementation":"blocking"' 14000 launch 1
} >"$MUSTER_RESULTS/one/probe.jsonl"
# says NAME LINE...: a program that prints what an example does.
says() {
    mkdir -p said
    { echo "#!/bin/sh"; shift; printf 'echo %s\n' "$@"; } >"said/$name"
    chmod +x "said/$name"
}
for name in network stencil; do
    says $name 'on 128 workgroups of 256' 'persistent 2000 ns a step, of which alone 600' 'launched 4500 ns a step, of which alone 800'
done
factor() {
    "$srcdir/build-aux/library-factor" "$MUSTER" one said/network said/stencil >factor &&
        has factor 'network: 2.25 times as fast, predicted 2.50 (-10 %)' 'stencil: 2.25 times as fast, predicted 9.25 (-76 %)'
}
check 'the predicted factor is of a round alone, a barrier and a launch that overlaps or does not' factor
real_factor() {
    # What they said above, with two workers: they compute for seconds.
    for name in network stencil; do
        printf '#!/bin/sh\ncat "%s"\n' "$folder/$name.2.said" >"said/$name"
    done
    "$srcdir/build-aux/library-factor" "$MUSTER" one said/network said/stencil >factor &&
        grep '^network: [0-9.]* times as fast, predicted [0-9.]* ' factor &&
        grep '^stencil: [0-9.]* times as fast, predicted [0-9.]* ' factor
}
if ! in_full; then
    :
elif [ -f network.2.said ]; then
    check '… and the examples say what it needs' real_factor
else
    skip '… and the examples say what it needs' 'PoCL cannot be given two workers'
fi

if ! in_full; then
    :
elif command -v cmake >found; then
    with_cmake() {
        cmake -S examples -B cmake -DCMAKE_PREFIX_PATH="$usr" && cmake --build cmake && workers 2 cmake/bfs
    }
    check 'the examples build by CMake' with_cmake
else
    skip 'the examples build by CMake' 'there is no CMake'
fi
cd / || exit 99
check 'make uninstall-library leaves nothing' env -u MAKEFLAGS -u MFLAGS make -C "$builddir" -s uninstall-library \
    prefix="$usr" DESTDIR=
check '… indeed' [ -z "$(find "$usr" -type f -o -type l)" ]
tap_done
