dnl Library checks that collect what is missing, so that one message names everything with its Debian package.

dnl MU_NOTE_MISSING(what, Debian package)
AC_DEFUN([MU_NOTE_MISSING],
[mu_missing="$mu_missing
  $1 (Debian package $2)"
AS_CASE([" $mu_missing_packages "], [*" $2 "*], [], [mu_missing_packages="$mu_missing_packages $2"])])

dnl MU_LIBRARY(PREFIX, pkg-config module, header, library, function, Debian package, [other libraries])
dnl Asks pkg-config first and falls back on looking for the header and the library.
dnl Sets PREFIX_CFLAGS and PREFIX_LIBS.
AC_DEFUN([MU_LIBRARY],
[PKG_CHECK_MODULES([$1], [$2], [],
  [mu_found=no
   mu_saved_LIBS=$LIBS
   AC_CHECK_HEADER([$3], [AC_CHECK_LIB([$4], [$5], [mu_found=yes], [], [$7])])
   LIBS=$mu_saved_LIBS
   AS_IF([test "$mu_found" = yes], [$1_LIBS="-l$4 $7"], [MU_NOTE_MISSING([$2], [$6])])])
MU_LIBRARY_CFLAGS="$MU_LIBRARY_CFLAGS $$1_CFLAGS"
MU_LIBRARY_LIBS="$MU_LIBRARY_LIBS $$1_LIBS"
AC_SUBST([MU_LIBRARY_CFLAGS])
AC_SUBST([MU_LIBRARY_LIBS])])

dnl MU_HEADER(what, header, Debian package)
AC_DEFUN([MU_HEADER],
[AC_CHECK_HEADER([$2], [], [MU_NOTE_MISSING([$1 ($2)], [$3])])])

dnl MU_MISSING_LIBRARIES: ends configure if anything was missing.
AC_DEFUN([MU_MISSING_LIBRARIES],
[AS_IF([test -n "$mu_missing"],
  [AC_MSG_ERROR([missing:$mu_missing
install them with:
  apt-get install$mu_missing_packages
or tell where they are with CPPFLAGS=-I<folder> LDFLAGS=-L<folder> PKG_CONFIG_PATH=<folder>])])])

dnl MU_TEST_LIBRARY(PREFIX, pkg-config module, Debian package)
dnl Sets PREFIX_LIBS and PREFIX_CFLAGS, in which -DHAVE_PREFIX=1 says that it is there; both are empty otherwise. Its
dnl headers count as the system's, whose warnings are not ours.
AC_DEFUN([MU_TEST_LIBRARY],
[PKG_CHECK_MODULES([$1], [$2],
  [mu_have_$1=yes
   $1_CFLAGS="`AS_ECHO(["$$1_CFLAGS"]) | sed 's/-I/-isystem /g'` -DHAVE_$1=1"],
  [mu_have_$1="no (Debian package $3)"])])

dnl MU_IEEE_DOUBLES: adds what the exact predicates need to MU_CFLAGS: doubles that are computed as IEEE 754 says. On i386
dnl compilers compute them on the x87, which has more bits, unless they are told to use SSE2, which is in every processor
dnl of this century.
AC_DEFUN([MU_IEEE_DOUBLES],
[m4_define([mu_doubles], [AC_LANG_PROGRAM([[#include <float.h>
#if defined __FAST_MATH__ || FLT_EVAL_METHOD < 0 || FLT_EVAL_METHOD > 1
#error "no"
#endif]])])
mu_saved_CFLAGS=$CFLAGS
AC_MSG_CHECKING([what makes $CC compute doubles as IEEE 754 says])
mu_ieee=no
for mu_flags in '' '-msse2 -mfpmath=sse'; do
  CFLAGS="$mu_saved_CFLAGS $mu_flags"
  AS_IF([test "$mu_ieee" = no], [AC_COMPILE_IFELSE([mu_doubles], [mu_ieee=${mu_flags:-nothing}])])
done
CFLAGS=$mu_saved_CFLAGS
AC_MSG_RESULT([$mu_ieee])
AS_CASE([$mu_ieee],
  [no], [AC_MSG_ERROR([doubles are not computed as IEEE 754 says, which the exact predicates of meshes need: leave -ffast-math out of CFLAGS="$CFLAGS", and compile for SSE2 rather than for the x87])],
  [nothing], [],
  [MU_CFLAGS="$MU_CFLAGS $mu_ieee"])])

dnl MU_THREAD_SANITIZER: flags of tests that run under the thread sanitizer, beside those of all our code. Where $CC does
dnl not have it, or what it builds does not run here (as on kernels that place programs where an older one does not expect
dnl them), they are built without it and say SKIP.
AC_DEFUN([MU_THREAD_SANITIZER],
[AC_MSG_CHECKING([whether programs built with -fsanitize=thread run])
mu_saved_CFLAGS=$CFLAGS
CFLAGS="$CFLAGS -fsanitize=thread -pthread"
AC_RUN_IFELSE([AC_LANG_PROGRAM],
  [mu_thread_sanitizer=yes], [mu_thread_sanitizer=no], [mu_thread_sanitizer=no])
CFLAGS=$mu_saved_CFLAGS
AC_MSG_RESULT([$mu_thread_sanitizer])
MU_TSAN_CFLAGS=$MU_CFLAGS
MU_TSAN_LDFLAGS=
AS_IF([test "$mu_thread_sanitizer" = yes], [
  MU_TSAN_CFLAGS="$MU_CFLAGS -fsanitize=thread"
  MU_TSAN_LDFLAGS=-fsanitize=thread])
AC_SUBST([MU_TSAN_CFLAGS])
AC_SUBST([MU_TSAN_LDFLAGS])])
