#include "programs/threads/runtime/thread_keys.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <string>

namespace mazurka::threads {

int ThreadKeys::create(void (*destructor)(void*), unsigned* key) {
  EngineScope scope;
  if (self().keys == per_process) return EAGAIN;
  *key = first + static_cast<unsigned>(index(self().id)) * per_process + self().keys++;
  state_.keys.push_back({*key, destructor});
  return 0;
}

const ThreadKey* ThreadKeys::find(unsigned name) const {
  for (const ThreadKey& one : state_.keys) {
    if (one.name == name) return &one;
  }
  return nullptr;
}

void ThreadKeys::use(unsigned name, Use use) {
  static const std::string& what = *new std::string("a pthread key (one thread deletes it)");
  constexpr std::uint64_t keys = 0x6b65'7973ULL << 32;  // apart from files and the like
  const EngineScope scope;
  if (!scheduler_.is_twin()) races_.use_outside(what, use, keys | name);
}

int ThreadKeys::remove(unsigned key) {
  use(key, Use::changes);
  EngineScope scope;
  return std::erase_if(state_.keys, [&](const ThreadKey& one) { return one.name == key; }) == 0
             ? EINVAL
             : 0;
}

void* ThreadKeys::value(unsigned key) {
  use(key, Use::looks);
  for (const SpecificValue& one : self().specific) {
    if (one.key == key) return find(key) == nullptr ? nullptr : one.value;
  }
  return nullptr;
}

int ThreadKeys::set_value(unsigned key, const void* value) {
  use(key, Use::looks);
  if (find(key) == nullptr) return EINVAL;
  EngineScope scope;
  List<SpecificValue>& values = self().specific;
  auto known = std::find_if(values.begin(), values.end(),
                            [&](const SpecificValue& one) { return one.key == key; });
  if (known == values.end()) known = values.insert(known, {key, nullptr});
  known->value = const_cast<void*>(value);
  self().watch.progress();
  return 0;
}

void ThreadKeys::run_destructors() {
  constexpr int most_rounds = 4;
  List<SpecificValue>& values = self().specific;
  for (int round = 0; round < most_rounds; ++round) {
    bool any = false;
    for (std::size_t at = 0; at < values.size(); ++at) {
      void* value = values[at].value;
      if (value != nullptr) use(values[at].key, Use::looks);
      const ThreadKey* key = find(values[at].key);
      if (value == nullptr || key == nullptr || key->destructor == nullptr) continue;
      values[at].value = nullptr;
      any = true;
      key->destructor(value);
    }
    if (!any) break;
  }
}

}  // namespace mazurka::threads
