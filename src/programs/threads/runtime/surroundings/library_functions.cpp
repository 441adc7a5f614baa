// What the functions of the C library use that is neither memory of the program's nor seen by the
// kernel's filter (system_calls.cpp): what asks the kernel for files by name, limits or signals is
// noted there.
#include <pthread.h>
#include <regex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <sys/times.h>
#include <sys/utsname.h>
#include <time.h>

#include <algorithm>
#include <iterator>

#include "programs/threads/runtime/surroundings/library_calls.hpp"

namespace mazurka::threads {

namespace {

using Of = LibraryFunction::Of;

struct Row {
  std::string_view name;
  LibraryFunction function;
};

/// Those of which the program can only see what they read and write in its memory.
constexpr LibraryFunction touches(LibraryFunction::Touch one, LibraryFunction::Touch other = {}) {
  return {Of::nothing, Use::looks, 0, {one, other}};
}
template <typename Type>
constexpr LibraryFunction::Touch reads(std::uint8_t argument) {
  return {argument, false, sizeof(Type)};
}
template <typename Type>
constexpr LibraryFunction::Touch writes(std::uint8_t argument) {
  return {argument, true, sizeof(Type)};
}
/// ... and which look at the environment to know where they are.
constexpr LibraryFunction in_zone_of_time(LibraryFunction::Touch one,
                                          LibraryFunction::Touch other = {}) {
  return {Of::environment, Use::looks, 0, {one, other}};
}

using Status = struct stat;
using Date = char[26];

constexpr Row rows[] = {
    // --- open files by their numbers
    {"copy_file_range", {Of::everything}},
    {"fallocate", {Of::descriptor}},
    {"fallocate64", {Of::descriptor}},
    {"flock", {Of::descriptor}},
    {"fstat", {Of::descriptor, Use::looks, 0, {writes<Status>(1)}}},
    {"fstat64", {Of::descriptor, Use::looks, 0, {writes<Status>(1)}}},
    {"ftruncate", {Of::descriptor}},
    {"ftruncate64", {Of::descriptor}},
    {"getdents64", {Of::descriptor}},
    {"ioctl", {Of::descriptor, Use::looks}},
    {"lockf", {Of::descriptor}},
    {"lockf64", {Of::descriptor}},
    {"lseek", {Of::descriptor}},
    {"lseek64", {Of::descriptor}},
    {"posix_fallocate", {Of::descriptor}},
    {"posix_fallocate64", {Of::descriptor}},
    {"pread64", {Of::descriptor, Use::looks}},
    {"preadv", {Of::descriptor, Use::looks}},
    {"preadv2", {Of::descriptor}},
    {"preadv64", {Of::descriptor, Use::looks}},
    {"preadv64v2", {Of::descriptor}},
    {"pwrite64", {Of::descriptor, Use::adds}},
    {"pwritev", {Of::descriptor, Use::adds}},
    {"pwritev2", {Of::descriptor, Use::adds}},
    {"pwritev64", {Of::descriptor, Use::adds}},
    {"pwritev64v2", {Of::descriptor, Use::adds}},
    {"readv", {Of::descriptor}},
    {"writev", {Of::descriptor, Use::adds}},

    // --- streams
    {"__fprintf_chk", {Of::stream, Use::adds}},
    {"__vfprintf_chk", {Of::stream, Use::adds}},
    {"__fwprintf_chk", {Of::stream, Use::adds}},
    {"__vfwprintf_chk", {Of::stream, Use::adds}},
    {"__overflow", {Of::stream, Use::adds}},
    {"__fpending", {Of::stream, Use::looks}},
    {"clearerr", {Of::stream}},
    {"clearerr_unlocked", {Of::stream}},
    {"feof", {Of::stream, Use::looks}},
    {"feof_unlocked", {Of::stream, Use::looks}},
    {"ferror", {Of::stream, Use::looks}},
    {"ferror_unlocked", {Of::stream, Use::looks}},
    {"fflush", {Of::stream, Use::adds}},
    {"fflush_unlocked", {Of::stream, Use::adds}},
    {"fgetpos", {Of::stream, Use::looks, 0, {writes<fpos_t>(1)}}},
    {"fgetpos64", {Of::stream, Use::looks, 0, {writes<fpos_t>(1)}}},
    {"fputc", {Of::stream, Use::adds, 1}},
    {"fputc_unlocked", {Of::stream, Use::adds, 1}},
    {"fputs_unlocked", {Of::stream, Use::adds, 1}},
    {"fputwc", {Of::stream, Use::adds, 1}},
    {"fputwc_unlocked", {Of::stream, Use::adds, 1}},
    {"fputws", {Of::stream, Use::adds, 1}},
    {"fputws_unlocked", {Of::stream, Use::adds, 1}},
    {"fseek", {Of::stream}},
    {"fseeko", {Of::stream}},
    {"fseeko64", {Of::stream}},
    {"fsetpos", {Of::stream}},
    {"fsetpos64", {Of::stream}},
    {"ftell", {Of::stream, Use::looks}},
    {"ftello", {Of::stream, Use::looks}},
    {"ftello64", {Of::stream, Use::looks}},
    {"fwide", {Of::stream}},
    {"fwprintf", {Of::stream, Use::adds}},
    {"fwrite_unlocked", {Of::stream, Use::adds, 3}},
    {"putc", {Of::stream, Use::adds, 1}},
    {"putc_unlocked", {Of::stream, Use::adds, 1}},
    {"putw", {Of::stream, Use::adds, 1}},
    {"putwc", {Of::stream, Use::adds, 1}},
    {"putwc_unlocked", {Of::stream, Use::adds, 1}},
    {"rewind", {Of::stream}},
    {"ungetc", {Of::stream, Use::changes, 1}},
    {"ungetwc", {Of::stream, Use::changes, 1}},
    {"vfwprintf", {Of::stream, Use::adds}},

    // --- lists of files
    {"readdir", {Of::list}},
    {"readdir64", {Of::list}},
    {"rewinddir", {Of::list}},
    {"seekdir", {Of::list}},
    {"telldir", {Of::list, Use::looks}},

    // --- the rest of what the surroundings keep
    {"dirfd", {Of::numbers, Use::looks}},
    {"fileno", {Of::numbers, Use::looks}},
    {"fileno_unlocked", {Of::numbers, Use::looks}},
    {"get_current_dir_name", {Of::current_folder, Use::looks}},
    {"getcwd", {Of::current_folder, Use::looks, 0, {writes<char>(0)}}},
    {"getwd", {Of::current_folder, Use::looks}},
    {"realpath", {Of::current_folder, Use::looks, 0, {reads<char>(0), writes<char>(1)}}},
    {"tzset", {Of::environment, Use::looks}},
    {"localeconv", {Of::locale, Use::looks}},
    {"nl_langinfo", {Of::locale, Use::looks}},
    {"strfry", {Of::everything}},

    // --- memory: what they write is at least so much
    {"asctime_r", touches(reads<tm>(0), writes<Date>(1))},
    {"clock_getres", touches(writes<timespec>(1))},
    {"ctime_r", in_zone_of_time(reads<time_t>(0), writes<Date>(1))},
    {"getgroups", touches(writes<gid_t>(1))},
    {"drand48_r", touches(writes<drand48_data>(0), writes<double>(1))},
    {"gcvt", touches(writes<char>(1))},
    {"gethostname", touches(writes<char>(0))},
    {"getloadavg", touches(writes<double>(0))},
    {"iconv", touches(writes<char*>(1), writes<char*>(3))},
    {"inet_ntop", touches(reads<char>(1), writes<char>(2))},
    {"inet_pton", touches(reads<char>(1), writes<char>(2))},
    {"mbrtowc", touches(writes<wchar_t>(0), reads<char>(1))},
    {"mbsrtowcs", touches(writes<wchar_t>(0), writes<char*>(1))},
    {"mbtowc", touches(writes<wchar_t>(0), reads<char>(1))},
    {"memfrob", touches(writes<char>(0))},
    {"qsort_r", touches(writes<char>(0))},
    {"random_r", touches(writes<random_data>(0), writes<std::int32_t>(1))},
    {"regcomp", touches(writes<regex_t>(0), reads<char>(1))},
    {"regexec", touches(reads<regex_t>(0), reads<char>(1))},
    {"regfree", touches(writes<regex_t>(0))},
    {"sched_getaffinity", touches(writes<char>(2))},
    {"strverscmp", touches(reads<char>(0), reads<char>(1))},
    {"strxfrm", touches(writes<char>(0), reads<char>(1))},
    {"swprintf", touches(writes<wchar_t>(0), reads<wchar_t>(2))},
    {"sysinfo", touches(writes<struct sysinfo>(0))},
    {"tdelete", touches(writes<void*>(1))},
    {"tfind", touches(reads<void*>(1))},
    {"tsearch", touches(writes<void*>(1))},
    {"vswprintf", touches(writes<wchar_t>(0), reads<wchar_t>(2))},
    {"wcrtomb", touches(writes<char>(0))},
    {"wcscoll", touches(reads<wchar_t>(0), reads<wchar_t>(1))},
    {"wcsrtombs", touches(writes<char>(0), writes<wchar_t*>(1))},
    {"wcstok", touches(writes<wchar_t*>(2))},
    {"wctomb", touches(writes<char>(0))},
    {"getrlimit", touches(writes<rlimit>(1))},
    {"getrusage", touches(writes<rusage>(1))},
    {"gmtime_r", touches(reads<time_t>(0), writes<tm>(1))},
    {"localtime_r", in_zone_of_time(reads<time_t>(0), writes<tm>(1))},
    {"lstat", touches(writes<Status>(1))},
    {"lstat64", touches(writes<Status>(1))},
    {"fstatat", touches(writes<Status>(2))},
    {"fstatat64", touches(writes<Status>(2))},
    {"mbstowcs", touches(writes<wchar_t>(0), reads<char>(1))},
    {"mktime", in_zone_of_time(writes<tm>(0))},
    {"pthread_attr_destroy", touches(writes<char>(0))},
    {"pthread_attr_init", touches(writes<pthread_attr_t>(0))},
    {"pthread_attr_setdetachstate", touches(writes<char>(0))},
    {"pthread_condattr_init", touches(writes<pthread_condattr_t>(0))},
    {"pthread_mutexattr_init", touches(writes<pthread_mutexattr_t>(0))},
    {"pthread_mutexattr_settype", touches(writes<pthread_mutexattr_t>(0))},
    {"pthread_rwlockattr_init", touches(writes<char>(0))},
    {"rand_r", touches(writes<unsigned>(0))},
    {"readlink", touches(writes<char>(1))},
    {"setrlimit", touches(reads<rlimit>(1))},
    {"sigaddset", touches(writes<sigset_t>(0))},
    {"sigdelset", touches(writes<sigset_t>(0))},
    {"sigemptyset", touches(writes<sigset_t>(0))},
    {"sigfillset", touches(writes<sigset_t>(0))},
    {"sigismember", touches(reads<sigset_t>(0))},
    {"stat", touches(writes<Status>(1))},
    {"stat64", touches(writes<Status>(1))},
    {"strerror_r", touches(writes<char>(1))},
    {"strftime", in_zone_of_time(writes<char>(0), reads<tm>(3))},
    {"strptime", touches(reads<char>(0), writes<int>(2))},
    {"swab", touches(reads<char>(0), writes<char>(1))},
    {"timegm", touches(writes<tm>(0))},
    {"timelocal", in_zone_of_time(writes<tm>(0))},
    {"times", touches(writes<tms>(0))},
    {"uname", touches(writes<utsname>(0))},
    {"wcsftime", in_zone_of_time(writes<wchar_t>(0), reads<tm>(3))},
    {"wcstombs", touches(writes<char>(0), reads<wchar_t>(1))},
};

/// Compute with their arguments alone, tell facts that do not change, or are noted where the kernel
/// is asked. A star stands for the rest of a name.
constexpr std::string_view harmless[] = {
    // text and characters
    "__ctype_*", "__isoc23_str*", "__isoc23_wcs*", "__mb*", "__mem*", "__stp*", "__str*", "__wcs*",
    "__wctype_l", "__iswctype_l", "__tow*", "__to*", "__wmem*", "__w*_chk", "basename",
    "__xpg_basename", "__xpg_strerror_r", "btowc", "c16rtomb", "c32rtomb", "c8rtomb", "dirname",
    "envz_*", "argz_*", "fnmatch", "getsubopt", "iconv*", "index", "is*", "mb*", "mem*", "regcomp",
    "regerror", "regexec", "regfree", "rindex", "rpmatch", "stp*", "str*", "swab", "swprintf",
    "to*", "versionsort*", "vswprintf", "swscanf", "vswscanf", "__isoc99_swscanf",
    "__isoc99_vswscanf", "__isoc23_swscanf", "wcp*", "wcr*", "wcs*", "wct*", "wcw*", "wmem*",
    "__snprintf_chk", "__sprintf_chk", "__vsnprintf_chk", "__vsprintf_chk", "__asprintf_chk",
    "__vasprintf_chk", "obstack_*", "_obstack_*", "alphasort*", "gettext", "dgettext", "dcgettext",
    "ngettext", "dngettext", "dcngettext",
    // numbers, searching and sorting
    "__fpclassify*", "__finite*", "__isinf*", "__isnan*", "__signbit*", "a64l", "abs", "bsearch",
    "copysign*", "difftime", "div", "dysize", "ecvt_r", "erand48_r", "fcvt_r", "fe*round", "ffs*",
    "finite*", "frexp*", "gcvt", "hcreate_r", "hdestroy_r", "hsearch_r", "hton*", "imaxabs",
    "imaxdiv", "inet_addr", "inet_aton", "inet_ntop", "inet_pton", "insque", "drand48_r",
    "jrand48_r", "lrand48_r", "mrand48_r", "nrand48_r", "lcong48_r", "seed48_r", "srand48_r",
    "initstate_r", "setstate_r", "srandom_r", "labs", "ldexp*", "ldiv", "lfind", "llabs", "lldiv",
    "lsearch", "modf*", "ntoh*", "qecvt_r", "qfcvt_r", "qgcvt", "qsort_r", "rand_r", "random_r",
    "remque", "scalbn*", "tdelete", "tdestroy", "tfind", "timegm", "tsearch", "twalk*", "asctime_r",
    "ctime_r", "getdate_r", "gnu_dev_*", "makedev", "major", "minor",
    // what belongs to one thread
    "__errno_location", "__h_errno_location", "__duplocale", "__freelocale", "__newlocale",
    "__nl_langinfo_l", "__uselocale", "duplocale", "freelocale", "newlocale", "nl_langinfo_l",
    "uselocale", "__longjmp_chk", "__sigsetjmp", "_longjmp", "_setjmp", "longjmp", "setjmp",
    "siglongjmp", "getcontext", "makecontext",
    // attributes and sets
    "pthread_attr_*", "pthread_barrierattr_*", "pthread_condattr_*", "pthread_equal",
    "pthread_getattr_default_np", "pthread_getconcurrency", "pthread_mutex_getprioceiling",
    "pthread_mutexattr_*", "pthread_rwlockattr_*", "posix_spawnattr_*",
    "posix_spawn_file_actions_*", "sched_get_priority_*", "sched_rr_get_interval", "sigabbrev_np",
    "sigaddset", "sigandset", "sigdelset", "sigdescr_np", "sigemptyset", "sigfillset",
    "sigisemptyset", "sigismember", "sigorset", "__sched_cpu*", "thrd_equal",
    // facts
    "__getauxval", "__getpagesize", "__sysconf", "clock_getcpuclockid", "clock_getres", "confstr",
    "fpathconf", "get_avphys_pages", "get_nprocs*", "get_phys_pages", "getauxval", "getdomainname",
    "getdtablesize", "getegid", "geteuid", "getgid", "getgr*_r", "getgrouplist", "getgroups",
    "gethostid", "gethostname", "getloadavg", "getpagesize", "getpgid", "getpgrp", "getpw*_r",
    "getresgid", "getresuid", "getrusage", "getsid", "getuid", "gnu_get_*", "group_member",
    "pathconf", "sysconf", "sysinfo", "times", "timespec_getres", "uname",
    // memory
    "__libc_free", "__libc_malloc", "madvise", "mallinfo*", "malloc_*", "mallopt", "mincore",
    "mlock*", "msync", "munlock*", "posix_madvise", "valloc", "pvalloc",
    // asks the kernel for something that is noted or refused there
    "access", "chdir", "chmod", "chown", "eaccess", "euidaccess", "faccessat", "fchdir", "fchmod*",
    "fchown*", "fcntl*", "fstatat*", "fstatfs*", "fstatvfs*", "futimens", "futimes*", "getpriority",
    "getrlimit*", "lchmod", "lchown", "link*", "lstat*", "lutimes", "mkdir*", "mkfifo*", "mknod*",
    "__fxstat*", "__lxstat*", "__xstat*", "nice", "prctl", "prlimit*", "readlink*", "remove",
    "rename*", "rmdir", "sched_get*", "sched_set*", "setpriority", "setrlimit*", "stat*",
    "symlink*", "truncate*", "ulimit", "umask", "unlink*", "utime*", "sigaltstack", "fcntl64",
    "scandir*", "mkdtemp", "open*at", "open", "open64", "openat", "openat64", "creat", "creat64",
    "dup", "dup2", "dup3", "close", "close_range", "closefrom", "mkstemp*", "mkostemp*",
    "memfd_create", "__open_2", "__open64_2", "__openat_2", "__openat64_2",
    // prints what nobody reads
    "__printf_chk", "__vprintf_chk", "__wprintf_chk", "__vwprintf_chk", "fdatasync", "fsync",
    "perror", "posix_fadvise*", "psiginfo", "psignal", "putchar*", "putwchar*", "readahead", "sync",
    "sync_file_range", "syncfs", "vwarn*", "vwprintf", "warn*", "wprintf",
    // how libraries are found and programs begin and end
    "__chk_fail", "__cxa_*", "__fdelt_*", "__fortify_fail", "__gmon_start__", "__libc_*",
    "__register_atfork", "__stack_chk_*", "_dl_*", "atexit", "at_quick_exit", "backtrace*",
    "dl_iterate_phdr", "dladdr*", "dlerror", "dlinfo", "dlsym", "dlvsym", "err", "errx", "error",
    "error_at_line", "verr", "verrx"};

/// Remember something from call to call that is not the program's memory.
constexpr std::string_view remembering[] = {
    "mblen",     "mbrlen",      "mbtowc",     "mbrtowc",  "mbsrtowcs",          "mbsnrtowcs",
    "mbrtoc*",   "__mbrlen",    "wctomb",     "wcrtomb",  "wcsrtombs",          "wcsnrtombs",
    "c16rtomb",  "c32rtomb",    "c8rtomb",    "strerror", "strerror_l",         "strsignal",
    "uselocale", "__uselocale", "iconv*",     "gettext",  "dgettext",           "dcgettext",
    "ngettext",  "dngettext",   "dcngettext", "dlerror",  "__h_errno_location", "at_quick_exit",
    "mallopt",   "malloc_*"};

bool matches(std::string_view pattern, std::string_view name) {
  // Nearly always they differ at once.
  if (name.empty() || (pattern.front() != name.front() && pattern.front() != '*')) return false;
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == name;
  const std::string_view end = pattern.substr(star + 1);
  return name.size() + 1 >= pattern.size() && name.starts_with(pattern.substr(0, star)) &&
         name.ends_with(end);
}

}  // namespace

namespace {

/// What it uses, but for what it remembers.
LibraryFunction known_use(std::string_view name) {
  const auto* row = std::find_if(std::begin(rows), std::end(rows),
                                 [&](const Row& one) { return one.name == name; });
  if (row != std::end(rows)) return row->function;
  const bool known = std::any_of(std::begin(harmless), std::end(harmless),
                                 [&](std::string_view one) { return matches(one, name); });
  return known ? LibraryFunction{Of::nothing} : LibraryFunction{};
}

}  // namespace

LibraryFunction library_function(std::string_view name) {
  LibraryFunction function = known_use(name);
  const bool remembers = std::any_of(std::begin(remembering), std::end(remembering),
                                     [&](std::string_view one) { return matches(one, name); });
  if (remembers && function.of == Of::nothing) function.of = Of::its_own;
  return function;
}

}  // namespace mazurka::threads
