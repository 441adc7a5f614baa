#include "programs/threads/runtime/surroundings/outside_uses.hpp"

namespace mazurka::threads {

std::string OutsideUses::use(const User& user, const std::string& what, Use use,
                             std::uint64_t key) {
  const bool open = is_open(user, key, use);
  if (is_open(user, everything, Use::looks)) return unknown();
  return open ? what : "";
}

std::string OutsideUses::use_unknown(const User& user, const char* function) {
  unknown_function_ = function;
  return is_open(user, everything, Use::changes) ? unknown() : "";
}

std::string OutsideUses::unknown() const {
  return unknown_function_ + "(), of which it is not known what it shares,";
}

bool OutsideUses::is_open(const User& user, std::uint64_t key, Use use) {
  static constexpr AccessKind kinds[] = {AccessKind::read, AccessKind::atomic_write,
                                         AccessKind::write};
  NotedAccess access{user.process,
                     user.clock[index(user.process)],
                     key,
                     1,
                     kinds[static_cast<int>(use)],
                     false,
                     0};
  bool open = !uses_.add(access, user.clock).empty();
  if (use == Use::adds) {
    access.kind = AccessKind::write;
    if (!additions_.add(access, user.clock).empty()) mixed_.insert(key);
  } else {
    open = open || mixed_.contains(key);
  }
  return open;
}

}  // namespace mazurka::threads
