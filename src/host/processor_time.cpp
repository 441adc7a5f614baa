#include "host/processor_time.hpp"

#include <sys/resource.h>
#include <sys/time.h>

namespace mazurka::host {

namespace {

double in_seconds(const timeval& time) {
  constexpr double microsecond = 1e-6;
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * microsecond;
}

double seconds_of(int who) {
  rusage used{};
  if (getrusage(who, &used) != 0) return 0;
  return in_seconds(used.ru_utime) + in_seconds(used.ru_stime);
}

}  // namespace

double processor_seconds() { return seconds_of(RUSAGE_SELF) + seconds_of(RUSAGE_CHILDREN); }

}  // namespace mazurka::host
