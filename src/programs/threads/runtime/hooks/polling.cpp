// Waiting for one of several descriptors. Without any, that is a way to sleep.
#include <errno.h>
#include <poll.h>
#include <sys/select.h>

#include <algorithm>
#include <cstring>

#include "programs/threads/runtime/hooks/hooks.hpp"
#include "programs/threads/runtime/machine/call_site.hpp"
#include "programs/threads/runtime/teller.hpp"

using mazurka::threads::natively;
using mazurka::threads::runtime;
using mazurka::threads::scheduled;
using mazurka::threads::second;
using mazurka::threads::Teller;

namespace {

constexpr std::int64_t for_ever = -1;

[[noreturn]] void refuse(const std::string& call, const char* why) {
  runtime->unsupported((call + why).c_str());
}

int sleep_for(const char* call, std::int64_t time) {
  if (time < 0) refuse(call, " that waits for ever");
  runtime->timing.sleep(time);
  return 0;
}

int poll_none(const char* call, pollfd* files, nfds_t count, std::int64_t time) {
  for (nfds_t at = 0; at < count; ++at) {
    if (files[at].fd >= 0) refuse(call, " of a descriptor");
  }
  for (nfds_t at = 0; at < count; ++at) {
    Teller{}.write(&files[at].revents, sizeof files[at].revents);
    files[at].revents = 0;
  }
  return sleep_for(call, time);
}

bool names_any(const fd_set* set, int count) {
  if (set == nullptr) return false;
  for (int at = 0; at < count; ++at) {
    if (FD_ISSET(at, set)) return true;
  }
  return false;
}

int select_none(const char* call, int count, const fd_set* one, const fd_set* other,
                const fd_set* third, std::int64_t time) {
  if (names_any(one, count) || names_any(other, count) || names_any(third, count)) {
    refuse(call, " of a descriptor");
  }
  return sleep_for(call, time);
}

std::int64_t nanoseconds(const timespec* time) {
  return time == nullptr ? for_ever : time->tv_sec * second + time->tv_nsec;
}

}  // namespace

MAZURKA_SITE_HOOK(int, poll, pollfd* files, nfds_t count, int milliseconds) {
  if (!scheduled()) return natively("poll", files, count, milliseconds);
  const std::int64_t time = milliseconds < 0 ? for_ever : milliseconds * (second / 1000);
  return poll_none("poll()", files, count, time);
}
MAZURKA_SITE_HOOK(int, ppoll, pollfd* files, nfds_t count, const timespec* time,
                  const sigset_t* blocked) {
  if (!scheduled()) return natively("ppoll", files, count, time, blocked);
  return poll_none("ppoll()", files, count, nanoseconds(time));
}
MAZURKA_SITE_HOOK(int, select, int count, fd_set* read, fd_set* write, fd_set* except,
                  timeval* time) {
  if (!scheduled()) return natively("select", count, read, write, except, time);
  const std::int64_t wait =
      time == nullptr ? for_ever : time->tv_sec * second + time->tv_usec * 1000;
  const int result = select_none("select()", count, read, write, except, wait);
  Teller{}.write(time, sizeof *time);
  *time = {};  // as the kernel does: so much is left
  return result;
}
MAZURKA_SITE_HOOK(int, pselect, int count, fd_set* read, fd_set* write, fd_set* except,
                  const timespec* time, const sigset_t* blocked) {
  if (!scheduled()) return natively("pselect", count, read, write, except, time, blocked);
  return select_none("pselect()", count, read, write, except, nanoseconds(time));
}
